package suite

import (
	"math"
	"metalconform/metalrun"
	"metalconform/oracles"
	"slices"
)

// underFastMath makes the case's contract that of the arithmetic which the compiler makes of
// the kernel's source.
func (t *CaseRun) underFastMath(l metalrun.FastMathFlags) {
	t.fastMath = l
	if l&(metalrun.Reassociate|metalrun.Reciprocal) == 0 {
		return
	}
	k := *t.Kernel
	k.Contract = k.Contract.Transformed(l&metalrun.Reassociate != 0, l&metalrun.Reciprocal != 0)
	t.Kernel = &k
}

// fastMathForbids reports whether the inputs of a case or a stage hold what the compiler may take for
// impossible, and nobody counts on more: a kernel that asks for it, or a family that a specification has of its own.
// What nothing may depend on does not count.
func (t *CaseRun) fastMathForbids() bool {
	if t.fastMath&(metalrun.NoNaNs|metalrun.NoInfs) == 0 || t.asksFinite || t.Input.Own {
		return false
	}
	for _, b := range t.buffers {
		if b == nil || b.arg.Role == RoleOut {
			continue
		}
		if _, float := b.arg.Type.Format(); !float {
			continue
		}
		unread := b.arg.unread(t.Shape)
		for i, x := range b.values() {
			if t.impossible(x) &&
				!slices.ContainsFunc(unread, func(r Range) bool { return r.First <= i && i < r.End }) {
				return true
			}
		}
	}
	return false
}

// ranged reports whether results have to stay within the range of their type: of random inputs, and of those that a
// specification names itself where a compiler may take sums and products in another order, which may leave it.
func (t *CaseRun) ranged() bool {
	return t.Input.Random || t.Input.Own && t.fastMath&(metalrun.Reassociate|metalrun.Reciprocal) != 0
}

// promised are the answers without those elements that may be what the compiler takes for
// impossible: they may be anything.
func (t *CaseRun) promised(answers Answers) Answers {
	if t.Math.Mode == metalrun.MathSafe && t.fastMath&(metalrun.NoNaNs|metalrun.NoInfs) == 0 {
		return answers
	}
	out := Answers{}
	for name, a := range answers {
		a.Signed = a.Signed && !a.Plain // a compiler may leave out what makes a zero negative
		largest := t.Kernel.Args.largest(name)
		for i, want := range a.Want {
			if !t.impossible(want) && !t.overflows(a, i, largest) {
				continue
			}
			if len(a.Any) < len(a.Want) {
				a.Any = append(slices.Clone(a.Any), make([]bool, len(a.Want)-len(a.Any))...)
			}
			a.Any[i] = true
		}
		out[name] = a
	}
	return out
}

// overflows reports whether an element may be beyond the largest finite number, which the
// compiler may take for impossible.
func (t *CaseRun) overflows(a oracles.Answer, i int, largest float64) bool {
	return t.fastMath&metalrun.NoInfs != 0 && !a.Exact && !(math.Abs(a.Want[i])+a.Bound(i) <= largest)
}

// largest is the largest finite number of an argument, +Inf if that has integers.
func (args Args) largest(name string) float64 {
	for _, a := range args {
		if format, ok := a.Type.Format(); ok && a.Name == name {
			return format.Max()
		}
	}
	return math.Inf(1)
}

// free are the bytes of a buffer that may hold anything after a launch; nil for none.
func (t *CaseRun) free(b *buffer) []bool {
	answer := t.answers[b.arg.Name]
	_, float := b.arg.Type.Format()
	if float && t.fastMath&(metalrun.NoNaNs|metalrun.NoInfs) == 0 || !slices.Contains(answer.Any, true) {
		return nil
	}
	free := make([]bool, len(b.data))
	size := b.arg.Type.Bytes()
	for i := range b.count() {
		for j := range size {
			free[Guard+i*size+j] = answer.Free(i)
		}
	}
	return free
}

// impossible reports whether the compiler may take it for impossible that an operation meets x.
func (t *CaseRun) impossible(x float64) bool {
	return math.IsNaN(x) && t.fastMath&metalrun.NoNaNs != 0 || math.IsInf(x, 0) && t.fastMath&metalrun.NoInfs != 0
}
