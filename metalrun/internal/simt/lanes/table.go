package lanes

// Unary sets d = f(a).
type Unary func(d, a []uint32)

// Binary is a loop of two operands, each a vector of lanes or one scalar.
type Binary struct {
	VV func(d, a, b []uint32)
	VS func(d, a []uint32, s uint32)
	SV func(d []uint32, s uint32, b []uint32)
}

// BinaryQ is Binary for 64-bit lanes.
type BinaryQ struct {
	VV func(d, a, b []uint64)
	VS func(d, a []uint64, s uint64)
	SV func(d []uint64, s uint64, b []uint64)
}

// Ternary is a loop of a·b + c, or of another operation on three operands.
type Ternary struct {
	VVV func(d, a, b, c []uint32)
	VSV func(d, a []uint32, s uint32, c []uint32)
}

// Index gives the elements that the lanes of a gather or scatter access. Lane l accesses element
// (idx[l] - Lo)·Mult + First if idx[l] - Lo, modulo 2^32, is less than Count. Otherwise the lane is out of range. The
// caller guarantees that every element in range exists and that its number is below 2^31.
type Index struct{ Lo, Count, Mult, First uint32 }

// A Gather reads an element of memory for every lane that is set in mask. It gives the number of the first of these
// lanes that is out of range, or len(d) if none is. Lanes of d that are not set in mask are unspecified afterwards,
// and so is all of d if a lane is out of range. words holds the elements. Narrow elements are packed in ascending
// order. The last word may extend beyond the object.
type Gather func(d, words, idx, mask []uint32, at Index) int

// A Scatter writes the low bits of v to elements, with the arguments of a Gather. If several lanes write one element,
// the value of the highest lane stays. If a lane is out of range, it writes nothing. It touches only the bytes of the
// elements that it writes, because other threadgroups may write next to them at the same time.
type Scatter func(words, idx, mask, v []uint32, at Index) int

// A Widening sets each lane l to element first + l of memory. All these elements exist. words holds them as for a
// Gather.
type Widening func(d, words []uint32, first uint32)

// Table is one implementation of all loops.
type Table struct {
	Name string

	// Floats. MinF gives b if b < a and a otherwise, MaxF b if a < b and a
	// otherwise; both give b if a is a NaN. These, NegF and AbsF pass
	// the bits of a NaN on, NegF and AbsF with the sign changed.
	AddF, SubF, MulF, DivF, MinF, MaxF Binary
	NegF, AbsF, SqrtF                  Unary
	FloorF, CeilF, TruncF, RintF       Unary
	MulAdd                             Ternary // product and sum rounded each
	FMA                                Ternary // rounded once
	MulMul                             Ternary // a·b·c, both products rounded
	// MulScalars sets d = a·s·t, both products rounded.
	MulScalars func(d, a []uint32, s, t uint32)
	// Affine sets d = e + (q·(s·x) + c·x), which rounds each product by x, q's product and sum once, and
	// the last sum: a term of a product whose weight is q, scaled and shifted.
	Affine                 func(d, q, s, c, x, e []uint32)
	EqF, NeF, LtF, LeF     Binary // to bools
	RoundHalf, RoundBfloat Unary  // to the format, as float32; a NaN becomes quiet and keeps what fits of its payload
	HalfBits, BfloatBits   Unary  // rounded in the same way: the format's bits, zero-extended
	FromHalfBits           Unary  // to float32, a NaN made quiet; higher bits of a lane are ignored
	Exp, Exp2              Unary  // e^a and 2^a, correctly rounded
	Flush                  Unary  // subnormals to zeros of their sign
	QuietNaN               Unary  // every NaN to 0x7fc00000
	FromU32, FromI32       Unary  // to float32
	ToU32, ToI32           Unary  // truncated, saturated, 0 for a NaN

	// Integers. Shifts take their count modulo the width.
	AddI, SubI, MulI, MinS, MaxS, MinU, MaxU Binary
	And, Or, Xor, Shl, LShr, AShr            Binary
	NegI, Not                                Unary
	Field                                    func(d, a []uint32, shift, mask uint32) // a>>shift & mask
	// that as an integer with a sign, to float32
	FieldF                       func(d, a []uint32, shift, mask uint32)
	EqI, NeI, LtS, LeS, LtU, LeU Binary // to bools

	Fill       func(d []uint32, s uint32)
	Select     func(d, m, a, b []uint32)  // a where m is set, b elsewhere
	CopyMasked func(d, m, a []uint32)     // a where m is set
	AndMask    func(d, a, b []uint32) int // d = a & b of bools, and how many are set
	AndNotMask func(d, a, b []uint32) int // d = a &^ b of bools, and how many are set

	// KeepLtU and KeepLtS unset d, a mask, where a < s does not hold, for numbers
	// without and with sign, and give how many lanes are still set. a is not d.
	KeepLtU, KeepLtS func(d, a []uint32, s uint32) int
	// AddIndex sets d = a + b, or to 2^31 or more where b is: an index that is
	// out of range stays so when an element number below 2^31 is added.
	AddIndex func(d, a, b []uint32)

	// 64 bits.
	AddQ, SubQ, MulQ, AndQ, OrQ, XorQ BinaryQ
	ShlQ, LShrQ, AShrQ                BinaryQ
	FillQ                             func(d []uint64, s uint64)
	SelectQ                           func(d []uint64, m []uint32, a, b []uint64)
	CopyMaskedQ                       func(d []uint64, m []uint32, a []uint64)
	ExtendU, ExtendS                  func(d []uint64, a []uint32)
	Low, High                         func(d []uint32, a []uint64) // halves of a
	// Narrow sets d = (a - origin) >> shift for every lane set in mask and gives
	// the first of these lanes where a - origin, modulo 2^64, is not less than
	// limit or has one of its low shift bits set; len(d) if there is none.
	// limit>>shift is below 2^31. Other lanes of d are unspecified.
	Narrow func(d []uint32, a []uint64, mask []uint32, origin, limit uint64, shift uint) int

	// Memory. Gather16 and Gather8 zero-extend; GatherHalf decodes
	// as FromHalfBits does, GatherBfloat shifts to the left by 16.
	Gather32, Gather16, Gather8, GatherHalf, GatherBfloat Gather
	Scatter32, Scatter16, Scatter8                        Scatter
	// Lookup sets d to the word whose number is a & mask: there are more words than mask.
	Lookup func(d, a, words []uint32, mask uint32)
	// Widenings of consecutive elements, to the lanes that the gathers make of them.
	Widen16, Widen8, WidenHalf, WidenBfloat Widening

	// Weighted sums of rows of floats: rows holds len(t) of them, of len(d) floats
	// each, and row k+1 follows row k, but for DotRows: there it begins stride words
	// behind where row k begins. stride is not negative; rows that are closer than
	// they are long overlap. No operand is d, and what changes overlaps nothing.
	// For every row in turn, product and sum rounded each,
	//
	//	DotRows:    d = d + row·t[k]
	//	ScaleRows:  row = row·s, then d = d + row·t[k]
	//	UpdateRows: row = row + a·t[k], then d = d + row·u[k]
	DotRows    func(d, rows []uint32, stride int, t []uint32)
	ScaleRows  func(d, rows []uint32, s uint32, t []uint32)
	UpdateRows func(d, rows, a, t, u []uint32)
	// DotRuns adds to the lanes of each simdgroup, the last of which may have fewer than 32, products of runs of a and
	// of b as long as it: d = d + a's run·b's run, for as many turns. Those of simdgroup g begin at word firstA[g] of a
	// and firstB[g] of b, and step words further on in each turn. step is not negative.
	DotRuns func(d, a, b, firstA, firstB []uint32, step, turns int)
	// DotGathered adds to each lane the product of t and a row of its own, which
	// begins at word first[l]: d[l] = d[l] + words[first[l]+k]·t[k] for every k in
	// turn, rounded in the same way. All these words exist, and their numbers are below
	// 2^31.
	DotGathered func(d, words, first, t []uint32)
	// Fetch may bring memory near that is about to be read or written: some bytes from an address on, which need not
	// exist.
	Fetch func(at uintptr, bytes int)
	// Stream copies a to d, which nobody reads soon: it may leave the caches to others.
	Stream Unary

	// Simdgroups of 32 lanes. len(d) is a multiple of 32.
	SumF Unary // every lane: its simdgroup's sum of floats, ((l0+l1)+l2)+…
	// every lane: a[g], where g is the number of its simdgroup; d is not a, of which the others are not read
	Spread Unary
	// AddRuns adds to rows of floats, which lie in d one after the other and are len(w) long, the products of w and
	// runs of words: the run of simdgroup g begins at word first[g] in row 0, and step words further in each further
	// row. Row k is row + w·run, rounded each. All these words exist. step is not negative.
	AddRuns func(d, w, words, first []uint32, step, rows int)
	Ascend  func(a []uint32) bool // whether in every simdgroup each lane is the one before plus 1, modulo 2^32
	// MulAddTile and FMATile set d = a·b + c on 8×8 matrices of floats, one for
	// each simdgroup, which hold elements x0, x1 in the lane that TileIndex gives.
	// Each element of d is a sum over ascending k that begins with c.
	MulAddTile, FMATile func(d0, d1, a0, a1, b0, b1, c0, c1 []uint32)
}

// Named is the table of that name; nil if this processor cannot run it.
func Named(name string) *Table {
	for _, t := range tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}
