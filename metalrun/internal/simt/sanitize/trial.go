package sanitize

import (
	"fmt"
	"math"
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/machine"
)

// Grade says how much a finding weighs.
type Grade string

// Grades.
const (
	GradeWrong     Grade = "wrong"     // a trial changed a result
	GradeUndefined Grade = "undefined" // Metal does not define it, and no trial changed a result
	GradeNote      Grade = "note"      // no error
)

// Trial is another run of a launch, as Metal allows it, held against the observed one.
type Trial struct {
	What    string // is different, such as "threads one by one"
	Changes string // the first result that it changes, with both values; "" for none
}

// graded is the grade that trials give.
func graded(trials []Trial) Grade {
	for _, t := range trials {
		if t.Changes != "" {
			return GradeWrong
		}
	}
	return GradeUndefined
}

// trialValues stand in turn in place of an unspecified value: as floats 1e30, 0 and NaN,
// as integers far out of any range, 0 and -1.
var trialValues = [...]uint32{machine.Alternatives[0], machine.Alternatives[1], math.MaxUint32}

// tryValues runs the launch with other values at one site, but for one whose changes are known.
func (t *Checked) tryValues(w *Sanitizer, c suspect, first launchResult, known map[uint32]string) []Trial {
	var trials []Trial
	for _, value := range trialValues {
		changes, done := known[value]
		if !done && (t.many && t.trialCost > t.TrialBudget || t.exhausted()) {
			continue
		}
		if !done {
			changes = t.changes(w, first, t.Run(w, &machine.Alternative{Value: value, Only: &c.Choice}))
		}
		what := fmt.Sprintf("%#08x in its place (as a float %v)", value, math.Float32frombits(value))
		trials = append(trials, Trial{what, changes})
	}
	return trials
}

// changes is the first result in which a trial differs from another run, or "".
func (t *Checked) changes(w *Sanitizer, run, trial launchResult) string {
	switch {
	case trial.fault == run.fault:
	case trial.fault == "":
		return fmt.Sprintf("the launch no longer ends in a fault (%s)", run.fault)
	default:
		return fmt.Sprintf("the launch ends in a fault (%s)", trial.fault)
	}
	for object, bytes := range run.memory {
		if at := t.firstDifference(w, object, bytes, trial.memory[object]); at >= 0 {
			return t.difference(object, at, bytes, trial.memory[object])
		}
	}
	return ""
}

// difference spells the element around a byte that differs, as its argument is declared,
// or else the byte.
func (t *Checked) difference(object, at int, run, trial []byte) string {
	before := int(t.Buffers[object].Before)
	for _, a := range t.P.Kernel.Args {
		if a.Threadgroup || a.Index != object || a.Size == 0 || (at/a.Size+1)*a.Size > len(run) {
			continue
		}
		name := fmt.Sprintf("%s[%d]", a.Name, (before+at)/a.Size)
		scalar, size, components := partOf(a)
		if components {
			name += "." + "xyzw"[at%a.Size/size:][:1]
		}
		at -= at % size
		return fmt.Sprintf("%s becomes %s, and was %s", name, spelt(scalar, trial[at:at+size]),
			spelt(scalar, run[at:at+size]))
	}
	return fmt.Sprintf("byte %d of %s becomes %#02x, and was %#02x", before+at, t.P.ObjectAt(object), trial[at],
		run[at])
}

// partOf is the type and the size of what an argument's elements are made of: themselves,
// or the components of vectors.
func partOf(a ir.Arg) (scalar string, size int, components bool) {
	name := strings.TrimPrefix(a.Type, "packed_")
	for n := 2; n <= 4; n++ {
		if scalar, ok := strings.CutSuffix(name, fmt.Sprint(n)); ok && scalarSizes[scalar] > 0 {
			return scalar, scalarSizes[scalar], true
		}
	}
	return strings.TrimPrefix(a.Type, "atomic_"), a.Size, false
}

var scalarSizes = map[string]int{
	"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8, "half": 2, "bfloat": 2,
	"float": 4,
}

// spelt is an element of a type, in hexadecimal if it is no scalar.
func spelt(typ string, b []byte) string {
	var bits uint64
	for i, x := range b[:min(len(b), 8)] {
		bits |= uint64(x) << (8 * i)
	}
	switch typ {
	case "float":
		return fmt.Sprint(machine.F32frombits(uint32(bits)))
	case "half":
		return fmt.Sprint(machine.F32frombits(machine.HalfToLane(uint32(bits))))
	case "bfloat":
		return fmt.Sprint(machine.F32frombits(uint32(bits) << 16))
	case "int", "short", "char", "long":
		return fmt.Sprint(int64(scalar.Int{Bits: uint8(8 * len(b)), Signed: true}.Canonical(bits)))
	case "uint", "ushort", "uchar", "ulong":
		return fmt.Sprint(bits)
	}
	return fmt.Sprintf("%#x", b)
}
