package suite

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// Dispatch makes the launch with fresh memory: the same each time.
func (l StrangerLaunch) Dispatch() metalrun.Dispatch {
	s, d := l.of, l.grid
	for _, p := range s.params {
		if p.Kind != metalrun.BufferArg {
			continue
		}
		data := s.data(p)
		d.Bindings = append(d.Bindings, metalrun.Binding{
			Index: p.Index, Data: data, Length: len(data), Undefined: p.output,
			Inline: p.scalar() && len(data) <= mostInline,
		})
	}
	return d
}

// mostInline is the number of bytes that setBytes takes.
const mostInline = 4096

// period is after how many elements random contents repeat.
const period = 1 << 14

// data is what an argument holds before a launch.
func (s *Stranger) data(p parameter) []byte {
	n, _ := s.count(p)
	data := make([]byte, n*p.size)
	f := filler{given: s.given, r: generator(s.Info.Name, p.Name, s.given.Seed)}
	for i := range min(n, period) {
		for _, m := range p.scalars {
			for j := range m.count {
				word := data[i*p.size+m.offset+j*m.scalar.bytes:][:m.scalar.bytes]
				switch {
				case p.scalar():
					m.scalar.put(word, s.given.element(p.path(m), j, m.scalar))
				case p.table() && m.scalar.kind == integer:
					m.scalar.put(word, s.given.element(p.Name, i, m.scalar))
				default:
					m.scalar.put(word, f.draw(m.scalar))
				}
			}
		}
	}
	for done := period * p.size; done < len(data); done *= 2 {
		copy(data[done:], data[:done])
	}
	return data
}

// filler draws the elements of one buffer.
type filler struct {
	given *Given
	r     *rand.Rand
	left  []int // integers to come
}

// draw is the next element. Integers are the numbers below the size in random
// order, again and again: each may be an index or a count, and as many threads as
// there are numbers scatter to different places. Atomics begin at zero, as the
// counters do that they mostly are.
func (f *filler) draw(s mslScalar) float64 {
	switch s.kind {
	case boolean:
		return float64(f.r.IntN(2))
	case integer:
		return float64(f.integer())
	case floating, brain:
		return f.given.Low + float64((f.given.High-f.given.Low)*f.r.Float64())
	}
	return 0
}

func (f *filler) integer() int {
	if len(f.left) == 0 {
		f.left = f.r.Perm(max(f.given.size(), 1))
	}
	x := f.left[0]
	f.left = f.left[1:]
	return x
}

// put encodes x, rounded to the type, in little-endian order. Integers keep their
// low bits.
func (s mslScalar) put(b []byte, x float64) {
	w := uint64(int64(x))
	switch {
	case s.kind == boolean && x != 0:
		w = 1
	case s.kind == floating && s.bytes == 4:
		w = uint64(math.Float32bits(float32(x)))
	case s.kind == floating:
		w = uint64(oracles.F16.Bits(x))
	case s.kind == brain:
		w = uint64(oracles.BF16.Bits(x))
	}
	switch s.bytes {
	case 1:
		b[0] = byte(w)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(w))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(w))
	case 8:
		binary.LittleEndian.PutUint64(b, w)
	}
}
