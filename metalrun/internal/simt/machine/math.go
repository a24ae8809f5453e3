package machine

import (
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
)

// ExtremeLoop is the table's loop for the lesser or greater of two integers of
// at most 32 bits, or nil.
func ExtremeLoop(t *lanes.Table, name string, of scalar.Int) *lanes.Binary {
	switch {
	case of.Bits > 32:
	case name == "min" && of.Signed:
		return &t.MinS
	case name == "max" && of.Signed:
		return &t.MaxS
	case name == "min":
		return &t.MinU
	case name == "max":
		return &t.MaxU
	}
	return nil
}

// WholeLoop is the table's loop for a function of one float that is only worth it if all lanes are active, or nil.
func WholeLoop(t *lanes.Table, name string, rounded bool) lanes.Unary {
	switch {
	case !rounded:
	case name == "exp":
		return t.Exp
	case name == "exp2":
		return t.Exp2
	}
	return nil
}

// FunctionLoop is the table's loop for a function of one float, or nil. All but
// abs round, and are those of f32.
func FunctionLoop(t *lanes.Table, name string, rounded bool) lanes.Unary {
	switch {
	case name == "abs":
		return t.AbsF
	case !rounded:
	case name == "sqrt":
		return t.SqrtF
	case name == "floor":
		return t.FloorF
	case name == "ceil":
		return t.CeilF
	case name == "trunc":
		return t.TruncF
	case name == "rint":
		return t.RintF
	}
	return nil
}

// ChoiceLoop is the table's loop for a function that gives one of two floats of
// any format, or nil.
func ChoiceLoop(t *lanes.Table, name string, flush bool) *lanes.Binary {
	switch {
	case flush:
	case name == "min":
		return &t.MinF
	case name == "max":
		return &t.MaxF
	}
	return nil
}

// EachActive sets the lanes that are active.
func EachActive(d, a, b, mask []uint32, f func(a, b uint32) uint32) {
	a, b, mask = a[:len(d)], b[:len(d)], mask[:len(d)]
	var a0, b0, v uint32 // the last arguments and their value: neighbours often have the same
	begun := false
	for l := range d {
		if mask[l] == 0 {
			continue
		}
		if p, q := a[l], b[l]; !begun || p != a0 || q != b0 {
			a0, b0, v, begun = p, q, f(p, q), true
		}
		d[l] = v
	}
}
