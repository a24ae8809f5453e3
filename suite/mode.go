package suite

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// MathLimit is the loosest mode of floating-point mathematics in which what a kernel is to
// compute can be had, and what the next one breaks.
type MathLimit struct {
	Loosest metalrun.MathMode
	Where   func(Shape) bool // the shapes of which that is so; nil for all
	Why     string
}

// MathOf is how the file that exports a kernel is compiled, as declared, or else as its project
// builds it; safe if nothing says.
func (s *Shaders) MathOf(d *Declarations, k *Kernel, variant string) metalrun.Math {
	own := metalrun.Math{}
	if k.Built != nil {
		own = *k.Built
	}
	if d == nil || !slices.ContainsFunc(d.Compilations, Compilation.declaresMath) {
		return own
	}
	file, _, err := s.Variant(variant).Find(k.Name)
	if err != nil {
		return own
	}
	if m := d.FlagsOf(file, variant).Math; m != nil {
		return *m
	}
	return own
}

// declaresMath reports whether some build of the files has another arithmetic than safe.
func (c Compilation) declaresMath() bool {
	return c.Flags.Math != nil || slices.ContainsFunc(c.Variants, func(v Flags) bool { return v.Math != nil })
}

// InModes are the cases, each once for every arithmetic; with none, as it is declared.
// Its name says which it is if that is not the declared one of every kernel that it
// launches.
func (s *Shaders) InModes(cases []Case, d *Declarations, maths []metalrun.Math) []Case {
	modes := &modes{shaders: s, declared: d, maths: map[[2]string]metalrun.Math{}, fast: map[*Kernel]*Kernel{}}
	var list []Case
	for _, c := range cases {
		if len(maths) == 0 {
			list = append(list, modes.build(c, nil))
		}
		for _, m := range maths {
			list = append(list, modes.build(c, &m))
		}
	}
	return list
}

// modes are the arithmetics that the files of a directory are declared to have.
type modes struct {
	shaders  *Shaders
	declared *Declarations
	maths    map[[2]string]metalrun.Math // by kernel and variant
	fast     map[*Kernel]*Kernel         // with fast functions in the contract
}

// of is how a kernel is declared to be compiled.
func (m *modes) of(k *Kernel, variant string) metalrun.Math {
	key := [2]string{k.Name, variant}
	own, known := m.maths[key]
	if !known {
		own = m.shaders.MathOf(m.declared, k, variant)
		m.maths[key] = own
	}
	return own
}

// build is a case in some arithmetic, nil for the declared one.
func (m *modes) build(c Case, math *metalrun.Math) Case {
	kernels, built := []*Kernel{c.Kernel}, c
	if c.Pipeline != nil {
		kernels = nil
		for _, name := range c.Pipeline.Kernels {
			if k := c.kernels[name]; k != nil {
				kernels = append(kernels, k)
			}
		}
		built.kernels, built.maths = maps.Clone(c.kernels), map[string]metalrun.Math{}
	}
	other := false
	for _, k := range kernels {
		own := m.of(k, c.Variant)
		use := own
		if math != nil {
			use = *math
		}
		other = other || use != own
		if c.Pipeline == nil {
			built.Math, built.Kernel = use, m.contracted(k, use)
		} else {
			built.maths[k.Name], built.kernels[k.Name] = use, m.contracted(k, use)
		}
	}
	if math != nil {
		built.Math = *math
	}
	if other {
		built.inputs, built.Name = c.Name, c.Name+MathPart+built.Math.String()
	}
	return built
}

// contracted is the kernel with the contract of the functions that it is compiled with.
func (m *modes) contracted(k *Kernel, math metalrun.Math) *Kernel {
	if !math.FastFunctions {
		return k
	}
	if m.fast[k] == nil {
		own := *k
		own.Contract.Functions = oracles.Fast
		m.fast[k] = &own
	}
	return m.fast[k]
}

// MathPart stands in the name of a case before the mode that it is built in, if that is
// not the declared one.
const MathPart = "/math="

// Arithmetic is how the case's kernel is compiled: a contract of fast
// functions has them whatever the mode.
func (c Case) Arithmetic() metalrun.Math {
	return metalrun.Math{Mode: c.Math.Mode, FastFunctions: c.Math.FastFunctions || c.Kernel.Contract.Functions == oracles.Fast}
}

// Drawn is the name that a case's inputs are drawn from: the same in all modes.
func (c Case) Drawn() string { return cmp.Or(c.inputs, c.Name) }

// unsupported says why a shape is not judged in a mode, or "".
func (l *MathLimit) unsupported(m metalrun.MathMode, s Shape) string {
	if l == nil || m <= l.Loosest || l.Where != nil && !l.Where(s) {
		return ""
	}
	return fmt.Sprintf("not supported in %s math: %s", metalrun.Math{Mode: m, FastFunctions: true}, l.Why)
}

// underFastMath makes the case's contract that of the arithmetic which the compiler makes of
// the kernel's source.
func (t *CaseRun) underFastMath(l metalrun.Licence) {
	t.fastMath = l
	if l&(metalrun.Reassociate|metalrun.Reciprocal) == 0 {
		return
	}
	k := *t.Kernel
	k.Contract = k.Contract.Transformed(l&metalrun.Reassociate != 0, l&metalrun.Reciprocal != 0)
	t.Kernel = &k
}

// fastMathForbids reports whether the inputs of a case or a stage hold what the compiler may take for
// impossible, and nobody counts on more: a kernel that asks for it, or a family that a specification has of its own. What
// nothing may depend on does not count.
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
			if t.impossible(x) && !slices.ContainsFunc(unread, func(r Range) bool { return r.First <= i && i < r.End }) {
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
	if t.fastMath&(metalrun.NoNaNs|metalrun.NoInfs) == 0 {
		return answers
	}
	out := Answers{}
	for name, a := range answers {
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
	if t.fastMath&(metalrun.NoNaNs|metalrun.NoInfs) == 0 || !slices.Contains(answer.Any, true) {
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
