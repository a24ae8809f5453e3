package adhoc

import (
	"strings"

	"metalconform/metalrun"
)

// unstated is an integer that nobody has stated and the kernel reads, with what it does with it.
type unstated struct {
	name string // as [Spec.Args] has it
	metalrun.IntegerUse
	array   string // of which it is an element
	at      int    // there
	length  int    // of the array
	axis    int    // that its name gives a stride in bytes, -1 for none
	stride  bool   // its name or its use says that places lie so far apart
	batches bool   // its name says that batches do
	leading bool   // its name is that of a leading dimension
}

// named reports whether the name says that the integer is a stride.
func (x unstated) named() bool { return x.axis >= 0 || strideName.MatchString(last(x.name)) }

// offset reports whether the integer is added to indices and does nothing else: where something begins.
func (x unstated) offset() bool {
	return x.Adds && !x.Bounds && !x.Strides && !x.Divides && !x.named()
}

// mostCases are those of an integer that launches have besides the first.
const mostCases = 3

// otherCases are the cases of an integer that chooses, but for the first.
func (x unstated) otherCases() (list []float64) {
	for _, n := range x.Cases[1:min(len(x.Cases), mostCases+1)] {
		list = append(list, float64(n))
	}
	return list
}

// last is the last part of a name, without an index.
func last(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// unstated are the integers that may be guessed otherwise, in the order of the arguments.
func (k *Kernel) unstated() []unstated {
	var list []unstated
	add := func(array, name string, at, length int, use metalrun.IntegerUse) {
		_, whole := k.spec.Args[array]
		_, alone := k.spec.Args[name]
		_, guessed := k.spec.guesses[name]
		if whole || alone || guessed || use.Measures {
			return
		}
		x := unstated{name: name, IntegerUse: use, array: array, at: at, length: length, axis: -1}
		own := last(name)
		if axis := byteStride.FindStringSubmatch(own); axis != nil {
			x.axis = int(axis[1][0] - '0')
		}
		x.batches, x.leading = strings.Contains(strings.ToLower(own), "batch"),
			strings.Contains(strings.ToLower(own), "ld")
		x.stride = x.named() || use.Strides && !use.Bounds && !use.Divides
		list = append(list, x)
	}
	for _, p := range k.params {
		switch {
		case p.table(), p.counts:
			n := k.tableLength(p)
			for i := range n {
				if use, read := k.uses[place{p.Index, i * p.Size}]; (p.counts || p.scalars[0].kind == integer) &&
					(read || strideName.MatchString(p.Name)) {
					add(p.Name, element(p.Name, i), i, n, use)
				}
			}
		case p.scalar():
			for _, m := range p.scalars {
				for i := range m.Count {
					use, read := k.uses[place{p.Index, m.Offset + i*m.Size}]
					name := m.path
					if m.Count > 1 {
						name = element(m.path, i)
					}
					if m.kind == integer && (read || strideName.MatchString(last(name))) {
						add(m.path, name, i, m.Count, use)
					}
				}
			}
		}
	}
	return list
}

// tableLength is how many elements of a table may be stated: those that the kernel reads at fixed places,
// or of strides that it indexes, a few.
func (k *Kernel) tableLength(p parameter) int {
	n := 0
	for at := range k.uses {
		if at.buffer == p.Index && p.Size > 0 {
			n = max(n, at.offset/p.Size+1)
		}
	}
	if n == 0 {
		return strides
	}
	return n
}
