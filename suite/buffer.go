package suite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"metalconform/metalrun"
)

const (
	// Guard is the size in bytes of the guard region on each side of a buffer.
	Guard = 1024
	// pattern is what guards and unwritten outputs hold: a quiet NaN as f32,
	// and in each half a quiet NaN as bf16 and as f16.
	pattern = 0xffe5ffe5
)

// buffer is the memory of one argument between two guard regions.
type buffer struct {
	arg    Arg
	data   []byte
	ranges []Range           // elements of a writable buffer that must not change, in order
	exact  *metalrun.Exact   // gets what an exact device knows; nil: not wanted
	before []byte            // contents before the run, of what must not change
	stores *metalrun.Written // gets what launches store to; nil: not wanted
}

// mostBytes is what a buffer may have. To judge it takes several times as much.
const mostBytes = 1 << 30

// newBuffer makes the argument's buffer as it is before the first launch:
// inputs filled, outputs poisoned.
func newBuffer(c Case, a Arg, seed uint64) (*buffer, error) {
	b, err := poisoned(a, c.Shape)
	if err != nil {
		return nil, err
	}
	b.ranges = c.untouched(a)
	if a.Role != RoleOut {
		b.fill(c, b.count(), seed)
	}
	if c.Input.unread == nil {
		b.mark(a.unread(c.Shape))
	}
	b.remember()
	return b, nil
}

// poisoned is the argument's buffer with nothing in it.
func poisoned(a Arg, s Shape) (*buffer, error) {
	n := a.Count(s)
	if n < 0 || n > math.MaxInt32 {
		return nil, fmt.Errorf("%s has %d elements", a.Name, n)
	}
	if bytes := int64(n) * int64(a.Type.Bytes()); bytes > mostBytes {
		return nil, fmt.Errorf("%s has %d bytes, want at most %d: take a smaller point", a.Name, bytes, mostBytes)
	}
	b := &buffer{arg: a, data: make([]byte, n*a.Type.Bytes()+2*Guard)}
	poison(b.data, pattern)
	if a.Untouched != nil {
		b.ranges = ordered(a.Untouched(s))
	}
	return b, nil
}

// mark gives elements that must not change numbers that a sum with 0 or a product with 1 may change: −0, the least
// subnormal number, and signalling NaNs, which have the element's index for a payload. Of a buffer that a run reads
// these are elements that no result may depend on.
func (b *buffer) mark(unread []Range) {
	format, float := b.arg.Type.Format()
	if !float || b.arg.Role == RoleIn {
		return
	}
	zero, infinity := format.Bits(math.Copysign(0, -1)), format.Bits(math.Inf(1))
	payloads := uint32(1)<<(format.Precision()-2) - 1
	for _, kept := range b.ranges {
		for i := kept.First; i < kept.End; i++ {
			if b.arg.Role == RoleInOut && !within(unread, i) {
				continue
			}
			word := []uint32{zero, 1, infinity | (1 + uint32(i)%payloads)}[i%3]
			switch p := b.payload()[i*b.arg.Type.Bytes():]; b.arg.Type.Bytes() {
			case 2:
				binary.LittleEndian.PutUint16(p, uint16(word))
			default:
				binary.LittleEndian.PutUint32(p, word)
			}
		}
	}
}

// remember keeps the contents of what a run must not change.
func (b *buffer) remember() {
	if b.arg.Role == RoleIn || len(b.ranges) > 0 {
		b.before = bytes.Clone(b.payload())
	}
}

// poison fills p with a pattern.
func poison(p []byte, pattern uint32) {
	var word [4]byte
	binary.LittleEndian.PutUint32(word[:], pattern)
	for n := copy(p, word[:]); n < len(p); n *= 2 {
		copy(p[n:], p[:n])
	}
}

// fill writes the elements of the case's input family.
func (b *buffer) fill(c Case, n int, seed uint64) {
	room := scratch(n)
	defer giveBack(room)
	values := *room
	r := Generator(c.Drawn(), b.arg.Name, seed)
	c.fill(b.arg)(r, c.Shape, values)
	c.Input.overwrite(b.arg, c.Shape, r, values)
	t := b.arg.Type
	if _, float := t.Format(); !float {
		for i, x := range values {
			values[i] = t.wrapped(x)
		}
	}
	b.encode(0, values)
	if c.Kernel.Wide && t.Bytes() == 8 && c.unfilled(b.arg) && c.Input.unread == nil { // what float64 has no room for
		r = Generator(c.Drawn(), b.arg.Name, seed)
		for i := range n {
			binary.LittleEndian.PutUint64(b.payload()[8*i:], c.Input.integers.word(r, t, 64))
		}
	}
}

// encode writes numbers, rounded to the type, from element first on.
func (b *buffer) encode(first int, values []float64) {
	t := b.arg.Type
	p := b.payload()[first*t.Bytes():]
	switch format, float := t.Format(); {
	case t == F32:
		for i, x := range values {
			binary.LittleEndian.PutUint32(p[4*i:], math.Float32bits(float32(x)))
		}
	case float:
		for i, x := range values {
			binary.LittleEndian.PutUint16(p[2*i:], uint16(format.Bits(x)))
		}
	default:
		b.encodeIntegers(p[:0], values)
	}
}

// encodeIntegers appends integers to p.
func (b *buffer) encodeIntegers(p []byte, values []float64) {
	t := b.arg.Type
	lo, hi := t.limits()
	for _, x := range values {
		if x != math.Trunc(x) || !(lo <= x && x <= hi) {
			x = t.Round(x)
		}
		switch w := integerWord(x); t.Bytes() {
		case 1:
			p = append(p, byte(w))
		case 2:
			p = binary.LittleEndian.AppendUint16(p, uint16(w))
		case 4:
			p = binary.LittleEndian.AppendUint32(p, uint32(w))
		default:
			p = binary.LittleEndian.AppendUint64(p, w)
		}
	}
}

// wrapped is x wrapped into an integer type, for fills of words wider than the type, exactly, since the number of its
// integers is a power of two. With a sign it is the low bits of x, without one those of |x|.
func (t Type) wrapped(x float64) float64 {
	lo, hi := t.limits()
	if lo <= x && x <= hi {
		return x
	}
	span := math.Ldexp(1, 8*t.Bytes())
	if t == Bool {
		span = 2
	}
	if lo == 0 {
		x = math.Abs(x)
	}
	return min(x-float64(span*math.Floor((x-lo)/span)), hi)
}

// payload is the buffer without its guards.
func (b *buffer) payload() []byte { return b.data[Guard : len(b.data)-Guard] }

// count is the number of elements.
func (b *buffer) count() int { return len(b.payload()) / b.arg.Type.Bytes() }

// value is element i.
func (b *buffer) value(i int) float64 { return b.arg.Type.value(b.arg.Type.word(b.payload(), i)) }

// values are all elements, as numbers.
func (b *buffer) values() []float64 {
	x := make([]float64, b.count())
	b.decode(x, 0)
	return x
}

// decode gives the elements from first on as numbers.
func (b *buffer) decode(x []float64, first int) {
	t := b.arg.Type
	p := b.payload()[first*t.Bytes():]
	switch t {
	case F32:
		for i := range x {
			x[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(p[4*i:])))
		}
	case BF16:
		for i := range x {
			x[i] = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(p[2*i:])) << 16))
		}
	default:
		for i := range x {
			x[i] = t.value(t.word(p, i))
		}
	}
}

// words are all elements of an integer buffer of at most 32 bits.
func (b *buffer) words() []uint32 {
	x := make([]uint32, b.count())
	p, t := b.payload(), b.arg.Type
	for i := range x {
		x[i] = uint32(t.word(p, i))
	}
	return x
}

// wideWords are all elements of a buffer of integers of 64 bits.
func (b *buffer) wideWords() []uint64 {
	x := make([]uint64, b.count())
	for i := range x {
		x[i] = binary.LittleEndian.Uint64(b.payload()[8*i:])
	}
	return x
}

// holds reports whether element i has the bits of a pattern.
func (b *buffer) holds(i int, pattern uint64) bool {
	size := b.arg.Type.Bytes()
	w := b.arg.Type.word(b.payload(), i)
	if size == 8 {
		return w == pattern<<32|pattern
	}
	return w == pattern>>(8*(i*size%4))&(1<<(8*size)-1)
}

// otherPattern differs from pattern in every byte. It is a small positive number of every type.
const otherPattern = 0x1d1b1d1b

// unwritten tells elements that a kernel has not written from elements to which it has written what outputs hold
// before the launch. An int8 kernel that writes a wrong −1 leaves the bits of the pattern; nothing in the buffer
// tells the two apart.
//
// The case is launched once more when the first such element is met, on copies of its buffers whose outputs hold
// other bits. A device that observes accesses records the bytes that are stored to; of any other device an element
// counts as unwritten if it has the first bits after the first launch and the other bits after the second. A case
// that has no such element, as nearly all that pass, is not launched again.
type unwritten struct {
	launch func() []*buffer // the copies after the second launch, by argument; nil if it failed
	asked  bool
	copies []*buffer
}

// leaves reports whether it is known that no launch has written element i of output b, which holds the pattern.
func (u *unwritten) leaves(b *buffer, i int) bool {
	if u == nil {
		return false
	}
	if !u.asked {
		u.asked, u.copies = true, u.launch()
	}
	for _, c := range u.copies {
		if c != nil && c.arg.Name == b.arg.Name {
			return c.unstored(i)
		}
	}
	return false
}

// unstored reports whether a launch on the other bits has left element i as it was.
func (b *buffer) unstored(i int) bool {
	if size := b.arg.Type.Bytes(); b.stores.Recorded() {
		at := Guard + i*size
		for _, stored := range b.stores.Bytes[at : at+size] {
			if stored {
				return false
			}
		}
		return true
	}
	return b.holds(i, otherPattern)
}

// binding puts the buffer, or a window of it, at index.
func (b *buffer) binding(index int, window Range, narrowed bool) (metalrun.Binding, error) {
	size := b.arg.Type.Bytes()
	if !narrowed {
		window = Range{0, b.count()}
	}
	if window.First < 0 || window.End < window.First || window.End > b.count() {
		return metalrun.Binding{}, fmt.Errorf("window %d:%d of %s, which has %d elements", window.First, window.End,
			b.arg.Name, b.count())
	}
	return metalrun.Binding{
		Index:   index,
		Exact:   b.exact,
		Written: b.stores,
		Data:    b.data,
		Offset:  Guard + window.First*size,
		Length:  (window.End - window.First) * size,
	}, nil
}

// index is the position of element i as a tuple over the argument's extents.
func (a Arg) index(s Shape, i int) []int {
	tuple := make([]int, len(a.Extents))
	for d := len(a.Extents) - 1; d >= 0; d-- {
		n := max(a.Extents[d].Size(s), 1)
		tuple[d], i = i%n, i/n
	}
	return tuple
}

// spoil does so, with one of the fills, in a buffer that holds something.
func (b *buffer) spoil(unread []Range, r *rand.Rand) {
	if len(unread) == 0 {
		return
	}
	t := b.arg.Type
	value := unreadFills[r.IntN(len(unreadFills))].value
	room := scratch(b.count())
	defer giveBack(room)
	b.decode(*room, 0)
	largest := largestOf(*room)
	for _, rng := range unread {
		values := (*room)[rng.First:rng.End]
		for i := range values {
			values[i] = t.whole(value(r, t, largest))
		}
		b.encode(rng.First, values)
	}
}

// scratches are slices that held the numbers of a buffer while it was filled.
var scratches sync.Pool // of *[]float64

// mostKept is the room of a slice that is kept for other buffers: more would be held for long after it was needed.
const mostKept = 1 << 22

// giveBack hands it back.
func giveBack(s *[]float64) {
	if cap(*s) <= mostKept {
		scratches.Put(s)
	}
}

// scratch is room for n numbers, all 0, until it is handed back.
func scratch(n int) *[]float64 {
	s, ok := scratches.Get().(*[]float64)
	if !ok || cap(*s) < n {
		return new(make([]float64, n))
	}
	*s = (*s)[:n]
	clear(*s)
	return s
}
