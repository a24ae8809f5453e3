package forecast

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"metalconform/internal/regular"
	"metalconform/metalrun"
)

// Device is an Apple GPU as others have described it.
type Device struct {
	Name       string                 // such as "m1pro"
	Cores      float64                //
	Clock      float64                // Hz
	Simdgroups float64                // that a core holds at most
	Registers  float64                // bytes of a core
	Memory     float64                // bytes of threadgroup memory of a core
	Last       float64                // bytes of the last cache before the memory
	Bandwidth  float64                // of the memory, bytes a second
	Rates      [metalrun.Classes]rate // of instructions of simdgroups
	Source     string
	Known      []Known // what microkernels have shown of it, and is so in the other fields
}

// rate is the cost of an instruction of a class: issue slots of a scheduler, which has one a cycle, and cycles of a
// pipeline that accepts less than an instruction a cycle.
type rate struct {
	slots  float64
	pipe   pipe
	cycles float64
}

// pipe is a pipeline of a scheduler.
type pipe uint8

const (
	plain   pipe = iota // takes an instruction a cycle
	complex             // products of integers, shifts, conversions and functions
	across              // from lane to lane
	pipes
)

// apple7 are rates on Apple 7 and 8, from philipturner/metal-benchmarks (ALU layout and instruction throughputs). It
// lacks these, which are estimates:
//
//   - An integer division is LLVM's sequence for GPUs without one: two conversions, a reciprocal, three products, two
//     upper halves, and 12 other instructions.
//   - Other functions have 40 instructions.
//   - A reduction is five shuffles and sums.
//   - A product of 8×8 matrices is 512 multiply-adds at 102 a cycle and core. It keeps one of four schedulers busy for
//     20 cycles.
var apple7 = [metalrun.Classes]rate{
	metalrun.FloatAdd: {1, plain, 0}, metalrun.FloatMultiply: {1, plain, 0}, metalrun.FloatFused: {1, plain, 0},
	metalrun.FloatOther: {1, plain, 0},
	metalrun.Half:       {1, plain, 0}, metalrun.Integer: {1, plain, 0}, metalrun.Integer64: {4, plain, 0},
	metalrun.IntegerDivision: {20, complex, 42}, metalrun.Function: {40, plain, 0}, metalrun.Matrix: {20, plain, 0},
	metalrun.Conversion: {1, complex, 4}, metalrun.IntegerMultiply: {1, complex, 4}, metalrun.Division: {2, complex, 6},
	metalrun.Root: {1, complex, 8}, metalrun.Exponential: {1, complex, 4}, metalrun.Circular: {5, complex, 14.3},
	metalrun.Shuffle: {1, across, 2}, metalrun.Permutation: {1, across, 28}, metalrun.Reduction: {10, across, 15},
}

const (
	turner = "philipturner/metal-benchmarks: cores, clock, caches, registers, threadgroup memory; Apple: bandwidth"
	newer  = "number of cores and clock: hmc-tech.com; bandwidth: Apple; cores and last cache taken to be as in M2, " +
		"of which they are known to differ"
)

// devices are the devices for which sources were found. Cores of Apple 9, which cache their registers, count as those
// of Apple 8.
var devices = []Device{
	row("m1", 8, 1.278e9, 8<<20, 68.25e9, turner),
	row("m1pro", 16, 1.296e9, 24<<20, 200e9, turner),
	row("m1max", 32, 1.296e9, 48<<20, 400e9, turner),
	row("m1ultra", 64, 1.296e9, 96<<20, 800e9, turner),
	row("m2", 10, 1.398e9, 8<<20, 100e9, turner),
	row("m2pro", 19, 1.398e9, 24<<20, 200e9, turner),
	row("m2max", 38, 1.398e9, 48<<20, 400e9, turner),
	row("m3", 10, 1.398e9, 8<<20, 100e9, newer),
	row("m3pro", 18, 1.398e9, 24<<20, 150e9, newer),
	row("m3max", 40, 1.398e9, 48<<20, 400e9, newer),
	row("m4", 10, 1.470e9, 8<<20, 120e9, newer),
	row("m4pro", 20, 1.470e9, 24<<20, 273e9, newer),
	row("m4max", 40, 1.678e9, 48<<20, 546e9, newer),
}

func row(name string, cores, clock, last, bandwidth float64, source string) Device {
	return Device{Name: name, Cores: cores, Clock: clock, Simdgroups: 96, Registers: 208 << 10, Memory: 60 << 10,
		Last: last, Bandwidth: bandwidth, Rates: apple7, Source: source}
}

// Names lists the names of the devices.
func Names() string {
	var names []string
	for _, d := range devices {
		names = append(names, d.Name)
	}
	return strings.Join(names, ", ")
}

// calibration is the content of a file with a fit.
type calibration struct {
	Device       string        `json:"device"`
	How          string        `json:"how"`
	Observations int           `json:"observations"`
	Parameters   []fittedValue `json:"parameters"`
	Spread       Spread        `json:"spread"`
	Known        []Known       `json:"known,omitempty"` // of this GPU
	Times        []Time        `json:"times,omitempty"` // that it was fitted to
}

// Time is the measured time of a case, in seconds.
type Time struct {
	Case    string  `json:"case"`
	Seconds float64 `json:"seconds"`
}

type fittedValue struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Factor float64 `json:"factor"` // standard deviation of the logarithm, as a factor
}

//go:embed m1pro.json
var measured []byte

var fitted = sync.OnceValues(func() (Fitted, error) { return Decode(measured) })

// Elsewhere is the factor by which the interval of a forecast is wider on a device without a fit of its own. It is an
// assumption: there are no times of such devices.
const Elsewhere = 1.25

// calibrated is the device to whose times the parameters were fitted.
const calibrated = "m1pro"

// Find gives the model of a device by its name.
func Find(name string) (*Model, error) {
	f, err := fitted()
	if err != nil {
		return nil, err
	}
	d, err := Row(name)
	if err != nil {
		return nil, err
	}
	if name != calibrated {
		f.Spread = f.Spread.wider(Elsewhere)
	}
	return &Model{d, f}, nil
}

// Row is the published description of a device.
func Row(name string) (Device, error) {
	i := slices.IndexFunc(devices, func(d Device) bool { return d.Name == name })
	if i < 0 {
		return Device{},
			fmt.Errorf("no times can be forecast for %q: want one of %s, or a file of conform device calibrate, "+
				"which ends in .json", name, Names())
	}
	return devices[i], nil
}

// Read reads a model that [Model.Encode] wrote.
func Read(b []byte) (*Model, error) {
	f, err := Decode(b)
	if err != nil {
		return nil, err
	}
	var c calibration
	if err := regular.JSON(b, &c); err != nil {
		return nil, err
	}
	d, err := Row(c.Device)
	if err != nil {
		return nil, err
	}
	m := &Model{Device: d}
	m.Known = c.Known
	if err := m.adopt(); err != nil {
		return nil, err
	}
	m.Fitted = f
	return m, nil
}

// Encode writes a fit for [Decode], with how it was made. It includes the times that nobody else has.
func (m *Model) Encode(how string, observations int, times ...Time) ([]byte, error) {
	c := calibration{Device: m.Name, How: how, Observations: observations, Spread: m.Spread, Known: m.Known}
	for _, t := range times {
		c.Times = append(c.Times, Time{t.Case, rounded(t.Seconds)})
	}
	for i, v := range m.Parameters {
		c.Parameters = append(c.Parameters, fittedValue{prior[i].name, rounded(v), rounded(m.Factors[i])})
	}
	for _, d := range []*Deviation{&c.Spread.Times, &c.Spread.Ratios} {
		for _, v := range []*float64{&d.Least, &d.Idle, &d.Apart, &d.Low, &d.High} {
			*v = rounded(*v)
		}
	}
	b, err := json.MarshalIndent(c, "", "\t")
	return append(b, '\n'), err
}

// rounded keeps four digits. No parameter is known more accurately.
func rounded(v float64) float64 {
	if v == 0 {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

// Decode reads a fit.
func Decode(b []byte) (Fitted, error) {
	var c calibration
	var f Fitted
	if err := regular.JSON(b, &c); err != nil {
		return f, fmt.Errorf("a fit: %w", err)
	}
	if len(c.Parameters) != int(parameters) {
		return f,
			fmt.Errorf("a fit of %d parameters, where this model has %d: fit again", len(c.Parameters), parameters)
	}
	for i, p := range c.Parameters {
		if p.Name != prior[i].name {
			return f, fmt.Errorf("parameter %d of a fit is %q, where this model has %q: fit again", i, p.Name,
				prior[i].name)
		}
		f.Parameters[i], f.Factors[i] = p.Value, p.Factor
	}
	f.Spread = c.Spread
	if min(f.Spread.Times.Least, f.Spread.Ratios.Least) < repeated {
		return f, fmt.Errorf("a fit that does not say how far forecasts are off: fit again")
	}
	return f, nil
}
