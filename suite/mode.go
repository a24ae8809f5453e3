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
