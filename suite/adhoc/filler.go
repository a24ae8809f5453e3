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

// period is the number of elements after which random contents repeat.
const period = 1 << 14

// A drawing is all that the random contents of a buffer depend on: those of fewer elements
// begin those of more.
type drawing struct {
	buffer, behind, size int
	seed                 uint64
	apiece, filled       bool
	floats               Interval
}

// drawn reports whether everything in a buffer is random.
func (p parameter) drawn() bool {
	ordered := p.rises || p.table()
	return p.read == nil && !p.counts && !p.scalar() && !(ordered && slices.ContainsFunc(p.scalars, func(m scalars) bool { return m.kind == integer }))
}

// contents are the random contents of a buffer, and the memory of its launches, one at a time.
type contents struct{ drawn, launched []byte }

// data is what an argument holds before a launch. Launches are many, and what they draw is
// kept.
func (k *Kernel) data(p parameter) []byte {
	n, _ := k.count(p)
	if !p.drawn() {
		return k.fill(p, n)
	}
	s := k.spec
	d := drawing{p.Index, p.behind, s.size(), s.seed(), s.apiece, s.filled, s.floats()}
	if k.kept == nil {
		k.kept = map[drawing]*contents{}
	}
	c := k.kept[d]
	if c == nil || len(c.drawn) < n*p.Size {
		c = &contents{drawn: k.fill(p, n)}
		c.launched = make([]byte, len(c.drawn))
		k.kept[d] = c
	}
	data := c.launched[: n*p.Size : n*p.Size]
	copy(data, c.drawn)
	return data
}

// fill draws or counts the contents of n elements.
func (k *Kernel) fill(p parameter, n int) []byte {
	data := make([]byte, n*p.Size)
	if p.read != nil {
		n = len(data) / p.read.Size
		p.Size, p.scalars = p.read.Size, []scalars{{*p.read, scalarKindOf(p.read.Type), p.Name}}
	}
	f := filler{spec: k.spec, r: suite.Generator(k.Info.Name, p.Name, k.spec.seed())}
	for i := range min(n, period) {
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
					m.kind.put(word, float64(i*rise))
				case p.table() && m.kind == integer:
					m.kind.put(word, k.integer(p.Name, i, place{p.Index, i * p.Size}))
				default:
					m.kind.put(word, f.draw(m.kind))
				}
			}
		}
	}
	if whole := len(data) / p.Size * p.Size; n > period {
		for done := period * p.Size; done < whole; done *= 2 {
			copy(data[done:whole], data[:done])
		}
	}
	return data
}
