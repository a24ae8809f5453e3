package bitcode

import "slices"

// Abbreviation numbers that every block has.
const (
	endBlock = iota
	enterSubblock
	defineAbbrev
	unabbrevRecord
	firstAbbrev
)

// Bounds of the structure. A block contains a module, a function, and constants or metadata of it.
const (
	maxDepth      = 8
	maxAbbrevs    = 1 << 12 // in a block
	maxAbbrevSize = 1 << 8  // operands of one
)

// encoding is how an operand of an abbreviation is stored.
type encoding uint8

const (
	literal encoding = iota
	fixed
	vbr
	array
	char6
	blob
)

type abbrevOp struct {
	encoding encoding
	value    uint64 // of a literal; of fixed and vbr, the bits
}

type abbrev []abbrevOp

// record is one record. Its memory is used again for the next one.
type record struct {
	code uint64
	ops  []uint64
	blob []byte
}

// block is a block that is being read.
type block struct {
	id      uint64
	width   uint // bits of an abbreviation number
	end     uint64
	depth   int
	abbrevs []abbrev
}

// reader reads blocks and records.
type reader struct {
	stream
	info   map[uint64][]abbrev // of BLOCKINFO, by kind of block
	rec    record
	budget int // operands that records may still have
}

// enter reads the header of a block.
func (r *reader) enter(depth int) *block {
	b := &block{id: r.vbr(8), width: uint(r.vbr(4)), depth: depth}
	r.align()
	words := r.fixed(32)
	if b.width < 2 || b.width > 32 || depth > maxDepth {
		fail("a block has abbreviations of %d bits at depth %d", b.width, depth)
	}
	if words*32 > r.end-r.pos {
		fail("a block is longer than the stream")
	}
	b.end = r.pos + words*32
	b.abbrevs = slices.Clone(r.info[b.id])
	return b
}

// walk reads a block: each record is passed to record and each block in it to inner, which may be nil.
func (r *reader) walk(b *block, record func(*record), inner func(*block)) {
	outer := r.end
	r.end = b.end
	for r.pos < b.end {
		switch n := r.fixed(b.width); n {
		case endBlock:
			r.pos = b.end
		case enterSubblock:
			sub := r.enter(b.depth + 1)
			if sub.id == blockInfoBlock {
				r.blockInfo(sub)
			} else if inner != nil {
				inner(sub)
			}
			r.pos = sub.end
		case defineAbbrev:
			b.abbrevs = r.define(b.abbrevs)
		case unabbrevRecord:
			record(r.unabbreviated())
		default:
			if n-firstAbbrev >= uint64(len(b.abbrevs)) {
				fail("a record has the unknown abbreviation %d", n)
			}
			record(r.abbreviated(b.abbrevs[n-firstAbbrev]))
		}
	}
	r.end = outer
}

// blockInfo reads the abbreviations of kinds of blocks.
func (r *reader) blockInfo(b *block) {
	outer := r.end
	r.end = b.end
	kind := ^uint64(0)
	for r.pos < b.end {
		switch n := r.fixed(b.width); n {
		case endBlock:
			r.pos = b.end
		case defineAbbrev:
			r.info[kind] = r.define(r.info[kind])
		case unabbrevRecord:
			if rec := r.unabbreviated(); rec.code == 1 && len(rec.ops) > 0 {
				kind = rec.ops[0]
			}
		default:
			fail("BLOCKINFO has the abbreviation %d", n)
		}
	}
	r.end = outer
}

// define reads the definition of an abbreviation and appends it to a list.
func (r *reader) define(list []abbrev) []abbrev {
	n := r.vbr(5)
	if n == 0 || n > maxAbbrevSize || len(list) >= maxAbbrevs {
		fail("an abbreviation has %d operands", n)
	}
	r.spend(int(n))
	a := make(abbrev, n)
	for i := range a {
		if r.fixed(1) == 1 {
			a[i] = abbrevOp{literal, r.vbr(8)}
			continue
		}
		e := encoding(r.fixed(3))
		if e < fixed || e > blob {
			fail("an abbreviation has the encoding %d", e)
		}
		a[i].encoding = e
		if e == fixed || e == vbr {
			a[i].value = r.vbr(5)
			if a[i].value > 64 || e == vbr && a[i].value == 1 {
				fail("an abbreviation has numbers of %d bits", a[i].value)
			}
			if a[i].value == 0 {
				a[i] = abbrevOp{literal, 0}
			}
		}
	}
	for i, op := range a {
		if last := len(a) - 1; op.encoding == array && i != last-1 || op.encoding == blob && i != last {
			fail("an abbreviation has an array that is not its end")
		}
	}
	if last := a[len(a)-1].encoding; last == array || last == blob && len(a) > 1 && a[len(a)-2].encoding == array {
		fail("an abbreviation has an array without elements")
	}
	return append(list, a)
}

// spend counts operands.
func (r *reader) spend(n int) {
	if r.budget -= n; r.budget < 0 {
		fail("the records have more operands than bits")
	}
}

func (r *reader) unabbreviated() *record {
	r.rec.code, r.rec.ops, r.rec.blob = r.vbr(6), r.rec.ops[:0], nil
	n := r.vbr(6)
	if n > r.end-r.pos {
		fail("a record has %d operands", n)
	}
	r.spend(int(n) + 1)
	for range n {
		r.rec.ops = append(r.rec.ops, r.vbr(6))
	}
	return &r.rec
}

// abbreviated reads a record. The code is its first operand.
func (r *reader) abbreviated(a abbrev) *record {
	ops := r.rec.ops[:0]
	r.rec.blob = nil
	r.spend(len(a))
	for i, op := range a {
		switch op.encoding {
		case array:
			n := r.vbr(6)
			if n > r.end-r.pos {
				fail("an array has %d elements", n)
			}
			r.spend(int(n))
			for range n {
				ops = append(ops, r.scalar(a[i+1]))
			}
		case blob:
			n := r.vbr(6)
			r.align()
			if n > (r.end-r.pos)/8 {
				fail("a blob has %d bytes", n)
			}
			r.rec.blob = r.data[r.pos/8 : r.pos/8+n]
			r.pos += 8 * n
			r.align()
		default:
			ops = append(ops, r.scalar(op))
			continue
		}
		break
	}
	if len(ops) == 0 {
		fail("a record has no code")
	}
	r.rec.code, r.rec.ops = ops[0], ops[1:]
	return &r.rec
}

func (r *reader) scalar(op abbrevOp) uint64 {
	switch op.encoding {
	case literal:
		return op.value
	case fixed:
		return r.fixed(uint(op.value))
	case vbr:
		return r.vbr(uint(op.value))
	}
	return uint64("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"[r.fixed(6)])
}
