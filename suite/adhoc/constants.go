package adhoc

import (
	"maps"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// Guessed are the names of the function constants that are integers nobody has stated.
func (k *Kernel) Guessed() (names []string) {
	for _, c := range k.constants {
		if plain := !strings.ContainsAny(c.Type, "234"); plain && c.value != "" && !c.given && scalarKindOf(c.Type) == integer {
			names = append(names, c.Name)
		}
	}
	return names
}

// Rebuilt is the kernel with another guess for some of its function constants, and the program of it alone. A kernel that
// does not compile with it is an error.
func (k *Kernel) Rebuilt(p *metalrun.Program, names []string, value int) (Otherwise, *metalrun.Program, error) {
	o := k.otherwise()
	constants, values := make([]functionConstant, len(k.constants)), maps.Clone(p.Options().FunctionConstants)
	copy(constants, k.constants)
	for i := range constants {
		for _, name := range names {
			if c := &constants[i]; c.Name == name {
				c.value = strconv.Itoa(value)
				values[c.Index] = value
				o.Stated = append(o.Stated, "-constant "+name+"="+c.value)
			}
		}
	}
	p, err := p.Specialise(p.Options().Math(), values, k.Info.Name)
	if err != nil {
		return o, nil, err
	}
	infos, err := p.Kernels()
	if err != nil {
		return o, nil, err
	}
	uses, err := p.Uses()
	if err != nil {
		return o, nil, err
	}
	for i, info := range infos {
		if info.Name == k.Info.Name {
			built := newKernel(info, uses[i], constants, o.spec)
			maps.Copy(built.grown, k.grown)
			o.Kernel = built
		}
	}
	return o, p, nil
}
