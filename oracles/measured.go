package oracles

import (
	"fmt"
	"math"
)

// Measured is how accurate the f32 functions of a device have been found to be. nil
// says nothing, and the limits of the specification stand.
type Measured struct {
	Device    string // that it was measured on
	functions map[measuredFunction]measurement
}

type measuredFunction struct {
	name  string
	class Functions
}

// measurement is the largest error in ulp of the exact result. Where the specification's
// limits hold at every argument that there is, both count, and so the smaller does;
// where they do not, the larger.
type measurement struct {
	ulps  float64
	holds bool
}

// Set enters the largest error of a function in ulp of the exact result. holds says that
// all arguments were tried, and that the limits of the specification hold at each.
func (m *Measured) Set(name string, class Functions, ulps float64, holds bool) {
	if m.functions == nil {
		m.functions = map[measuredFunction]measurement{}
	}
	m.functions[measuredFunction{name, class}] = measurement{ulps, holds}
}

// limit is the largest error in ulp of a function whose limit is specified. No function
// is better than correctly rounded. A reciprocal may be a division with 1, and is no
// better than measured divisions are.
func (m *Measured) limit(name string, class Functions, specified float64) float64 {
	if m == nil {
		return specified
	}
	if name == "reciprocal" {
		if d, ok := m.functions[measuredFunction{"divide", class}]; ok && !d.holds {
			return max(specified, d.ulps)
		}
		return specified
	}
	switch f, ok := m.functions[measuredFunction{name, class}]; {
	case !ok:
		return specified
	case f.holds:
		return math.Max(0.5, math.Min(specified, f.ulps))
	default:
		return math.Max(specified, f.ulps)
	}
}

// String names the device.
func (m *Measured) String() string { return fmt.Sprintf("as measured on %s", m.Device) }
