package suite

import (
	"maps"
	"slices"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// MathOf is how the file that exports a kernel is compiled, as declared, or else as its project
// builds it; safe if nothing says.
func (s *Shaders) MathOf(d *Declarations, k *Kernel, variant string) metalrun.Math {
	m, _ := s.saidMath(d, k, variant)
	return m
}

// saidMath is how the file that exports a kernel is compiled, and whether anything says so.
func (s *Shaders) saidMath(d *Declarations, k *Kernel, variant string) (m metalrun.Math, said bool) {
	if k.Built != nil {
		m, said = *k.Built, true
	}
	if d == nil || !slices.ContainsFunc(d.Compilations, Compilation.declaresMath) {
		return m, said
	}
	file, _, err := s.Variant(variant).Find(k.Name)
	if err != nil {
		return m, said
	}
	if declared := d.FlagsOf(file, variant).Math; declared != nil {
		return *declared, true
	}
	return m, said
}

// declaresMath reports whether some build of the files has another arithmetic than safe.
func (c Compilation) declaresMath() bool {
	return c.Flags.Math != nil || slices.ContainsFunc(c.Variants, func(v Flags) bool { return v.Math != nil })
}

// InModes are the cases, each once for every arithmetic; with none, as it is declared, or in those of unsaid if nothing
// says how its kernels are compiled. Its name says which it is if that is not the declared one of every kernel that it
// launches.
func (s *Shaders) InModes(cases []Case, d *Declarations, maths []metalrun.Math, unsaid ...metalrun.Math) []Case {
	modes := &modes{shaders: s, declared: d, maths: map[[2]string]saidMath{}, fast: map[*Kernel]*Kernel{}}
	var list []Case
	for _, c := range cases {
		in := maths
		if len(maths) == 0 && len(unsaid) > 0 && !modes.said(c) {
			in, c.unsaid = unsaid, true
		}
		if len(in) == 0 {
			list = append(list, modes.build(c, nil))
		}
		for _, m := range in {
			list = append(list, modes.build(c, &m))
		}
	}
	return list
}

// UnsaidMaths are the arithmetics to judge a kernel in of which nothing says how it is compiled. Metal's own default is
// fast, careful hosts choose safe, and what is right in one may be wrong in the other.
func UnsaidMaths() []metalrun.Math {
	return []metalrun.Math{{}, {Mode: metalrun.MathFast, FastFunctions: true}}
}

// said reports whether anything says how some kernel of a case is compiled.
func (m *modes) said(c Case) bool {
	return slices.ContainsFunc(c.launches(), func(k *Kernel) bool { return m.of(k, c.Variant).said })
}

// launches are the kernels that a case launches.
func (c Case) launches() (list []*Kernel) {
	if c.Pipeline == nil {
		return []*Kernel{c.Kernel}
	}
	for _, name := range c.Pipeline.Kernels {
		if k := c.kernels[name]; k != nil {
			list = append(list, k)
		}
	}
	return list
}

// saidMath is the arithmetic of a kernel, and whether anything says so.
type saidMath struct {
	math metalrun.Math
	said bool
}

// modes are the arithmetics that the files of a directory are declared to have.
type modes struct {
	shaders  *Shaders
	declared *Declarations
	maths    map[[2]string]saidMath // by kernel and variant
	fast     map[*Kernel]*Kernel    // with fast functions in the contract
}

// of is how a kernel is declared to be compiled.
func (m *modes) of(k *Kernel, variant string) saidMath {
	key := [2]string{k.Name, variant}
	own, known := m.maths[key]
	if !known {
		own.math, own.said = m.shaders.saidMath(m.declared, k, variant)
		m.maths[key] = own
	}
	return own
}

// build is a case in some arithmetic, nil for the declared one.
func (m *modes) build(c Case, math *metalrun.Math) Case {
	built := c
	if c.Pipeline != nil {
		built.kernels, built.maths = maps.Clone(c.kernels), map[string]metalrun.Math{}
	}
	other := false
	for _, k := range c.launches() {
		own := m.of(k, c.Variant).math
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
