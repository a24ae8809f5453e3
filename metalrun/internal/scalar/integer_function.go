package scalar

// IntegerFunction is a function of integers of one type that the language computes
// as a whole. As with [FloatFunction], its row is all there is to say about it
// except its prototype and its second definition.
type IntegerFunction struct {
	Name string
	Args int
	// Of gives the result in canonical form; of the arguments the low bits count. The
	// result of absdiff is canonical in the unsigned type.
	Of func(x []uint64) uint64

	Field    bool // the last two arguments are offset and count of a bit field, uint
	Words    bool // there is one for integers of 32 bits only
	Constant bool // of constant arguments it is a constant
	Cheap    bool // it costs about one operation, and may be computed in vain
}

// integerFunctions are all of them, for one type.
func integerFunctions[T Integer]() []IntegerFunction {
	return []IntegerFunction{
		{Name: "min", Args: 2, Of: two(func(x, y T) T { return min(x, y) }), Constant: true, Cheap: true},
		{Name: "max", Args: 2, Of: two(func(x, y T) T { return max(x, y) }), Constant: true, Cheap: true},
		{Name: "abs", Args: 1, Of: one(Abs[T]), Constant: true, Cheap: true},
		{Name: "absdiff", Args: 2, Of: func(x []uint64) uint64 { return zeroExtended(AbsDiff(T(x[0]), T(x[1]))) }},
		{Name: "addsat", Args: 2, Of: two(AddSat[T])},
		{Name: "subsat", Args: 2, Of: two(SubSat[T])},
		{Name: "hadd", Args: 2, Of: two(HAdd[T])},
		{Name: "rhadd", Args: 2, Of: two(RHAdd[T])},
		{Name: "mulhi", Args: 2, Of: two(MulHi[T]), Constant: true},
		{Name: "madhi", Args: 3, Of: three(MadHi[T])},
		{Name: "madsat", Args: 3, Of: three(MadSat[T])},
		{Name: "mul24", Args: 2, Of: two(Mul24[T]), Words: true},
		{Name: "mad24", Args: 3, Of: three(Mad24[T]), Words: true},
		{Name: "clz", Args: 1, Of: one(Clz[T]), Constant: true},
		{Name: "ctz", Args: 1, Of: one(Ctz[T]), Constant: true},
		{Name: "popcount", Args: 1, Of: one(Popcount[T]), Constant: true},
		{Name: "reverse_bits", Args: 1, Of: one(ReverseBits[T]), Constant: true},
		{Name: "rotate", Args: 2, Of: two(Rotate[T]), Constant: true},
		{Name: "extract_bits", Args: 3, Field: true, Of: func(x []uint64) uint64 {
			return uint64(ExtractBits(T(x[0]), uint32(x[1]), uint32(x[2])))
		}},
		{Name: "insert_bits", Args: 4, Field: true, Of: func(x []uint64) uint64 {
			return uint64(InsertBits(T(x[0]), T(x[1]), uint32(x[2]), uint32(x[3])))
		}},
	}
}

func one[T Integer](f func(x T) T) func([]uint64) uint64 {
	return func(x []uint64) uint64 { return uint64(f(T(x[0]))) }
}

func two[T Integer](f func(x, y T) T) func([]uint64) uint64 {
	return func(x []uint64) uint64 { return uint64(f(T(x[0]), T(x[1]))) }
}

func three[T Integer](f func(x, y, z T) T) func([]uint64) uint64 {
	return func(x []uint64) uint64 { return uint64(f(T(x[0]), T(x[1]), T(x[2]))) }
}

// IntegerFunctions are the functions of each type.
var IntegerFunctions = map[Int][]IntegerFunction{
	{8, true}: integerFunctions[int8](), {8, false}: integerFunctions[uint8](),
	{16, true}: integerFunctions[int16](), {16, false}: integerFunctions[uint16](),
	{32, true}: integerFunctions[int32](), {32, false}: integerFunctions[uint32](),
	{64, true}: integerFunctions[int64](), {64, false}: integerFunctions[uint64](),
}

// Function finds a function of integers of a type by its name, nil if there is none.
func (t Int) Function(name string) *IntegerFunction {
	for i := range IntegerFunctions[t] {
		if f := &IntegerFunctions[t][i]; f.Name == name && (!f.Words || t.Bits == 32) {
			return f
		}
	}
	return nil
}
