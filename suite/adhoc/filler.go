package adhoc

import (
	"math/rand/v2"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite"
)

// filler draws the elements of one buffer.
type filler struct {
	spec *Spec
	r    *rand.Rand
	left []int // integers to come
}

// draw is the next element. Integers are the numbers below the size in random
// order, over and over: each may be an index or a count, and as many threads as
// there are numbers scatter to different elements. Atomics begin at zero: most are
// counters.
func (f *filler) draw(k scalarKind) float64 {
	switch k {
	case boolean:
		return float64(f.r.IntN(2))
	case integer:
		return float64(f.integer())
	case floating, brain:
		of := f.spec.floats()
		return of.Low + float64((of.High-of.Low)*f.r.Float64())
	}
	return 0
}

func (f *filler) integer() int {
	if len(f.left) == 0 {
		n := max(f.spec.size(), 1)
		if f.spec.apiece {
			n = max(n, period)
		}
		f.left = f.r.Perm(n)
	}
	x := f.left[0]
	f.left = f.left[1:]
	if f.spec.filled {
		x = max(x, 1)
	}
	return x
}

// takesInteger reports whether the kernel takes an element of a list of floats for an integer.
func (k *Kernel) takesInteger(p parameter, i int) bool {
	_, used := k.uses[place{p.Index, i * p.Size}]
	return used
}

// edge is the length of each side of a texture.
const edge = 32

// textures are what an argument of textures gets: the same as a buffer of their texels.
func (k *Kernel) textures(p parameter) []metalrun.Texture {
	size, layers := metalrun.Size{X: edge, Y: edge, Z: 1}, 1
	switch kind, _, _ := strings.Cut(p.Type, "<"); {
	case strings.Contains(kind, "1d") || strings.Contains(kind, "buffer"):
		size.Y = 1
	case strings.Contains(kind, "3d"):
		size.Z = edge
	case strings.Contains(kind, "cube_array"):
		layers = 12
	case strings.Contains(kind, "cube"):
		layers = 6
	}
	if strings.Contains(p.Type, "array") || strings.Contains(p.Type, "_ms") {
		layers = max(layers, 4)
	}
	var list []metalrun.Texture
	for entry := range p.Entries {
		t := metalrun.NewTexture(p.ArgInfo, entry, size, layers)
		f := filler{spec: k.spec, r: suite.Generator(k.Info.Name, p.Name, k.spec.seed()+uint64(entry))}
		for at := metalrun.TextureSizes; at < len(t.Data); at += p.Fields[0].Size {
			kind := p.scalars[0].kind
			kind.put(t.Data[at:][:p.Fields[0].Size], f.draw(kind))
		}
		list = append(list, t)
	}
	return list
}

// rise is how much longer each beginning of a row is than the one before.
const rise = 5

// risen is an integer of element i of a buffer that says where rows begin. In a struct it may be something else, of
// which there is some.
func (k *Kernel) risen(p parameter, i int) int {
	if len(p.scalars) > 1 || k.spec.filled {
		return max(i*rise, 1)
	}
	return i * rise
}

// period is the number of elements after which random contents repeat.
const period = 1 << 14

// random reports whether everything in a buffer is.
func (p parameter) random() bool {
	ordered := p.rises || p.table()
	return !p.counts && !p.scalar() &&
		!(ordered && slices.ContainsFunc(p.scalars, func(m scalars) bool { return m.kind == integer }))
}

// interpreted is the argument as what its bytes are read as.
func (p parameter) interpreted() parameter {
	if p.read != nil {
		p.Size, p.scalars = p.read.Size, []scalars{{*p.read, scalarKindOf(p.read.Type), p.Name}}
	}
	return p
}

// fill gives a buffer its contents. Those of a long one repeat.
func (k *Kernel) fill(p parameter, data []byte) {
	p = p.interpreted()
	n := len(data) / p.Size
	done := min(n, period) * p.Size
	if p.random() {
		copy(data, k.drawn(p, done))
	} else {
		k.begin(p, data[:done])
	}
	whole := n * p.Size
	for repeated := data[:done]; done < whole; done += len(repeated) {
		copy(data[done:whole], repeated)
	}
	clear(data[whole:])
}

// begin draws or counts the elements at the beginning of a buffer.
func (k *Kernel) begin(p parameter, data []byte) {
	clear(data) // what no member fills
	f := filler{spec: k.spec, r: suite.Generator(k.Info.Name, p.Name, k.spec.seed())}
	for i := range len(data) / p.Size {
		for _, m := range p.scalars {
			for j := range m.Count {
				word := data[i*p.Size+m.Offset+j*m.Size:][:m.Size]
				switch {
				case p.counts && k.takesInteger(p, i):
					m.kind.put(word, k.spec.element(p.Name, i, integer))
				case p.scalar() && m.kind == integer:
					m.kind.put(word, k.integer(m.path, j, place{p.Index, m.Offset + j*m.Size}))
				case p.scalar():
					m.kind.put(word, k.spec.element(m.path, j, m.kind))
				case p.rises && m.kind == integer:
					m.kind.put(word, float64(k.risen(p, i)))
				case p.table() && m.kind == integer:
					m.kind.put(word, k.integer(p.Name, i, place{p.Index, i * p.Size}))
				default:
					m.kind.put(word, f.draw(m.kind))
				}
			}
		}
	}
}
