package scalar

// Int is an integer type of MSL. Its values travel as uint64 in canonical form:
// sign-extended if the type is signed, zero-extended if not.
type Int struct {
	Bits   uint8 // 8, 16, 32 or 64
	Signed bool
}

// Canonical returns the value of the low Bits bits of x.
func (t Int) Canonical(x uint64) uint64 {
	n := 64 - t.Bits
	if t.Signed {
		return uint64(int64(x<<n) >> n)
	}
	return x << n >> n
}

// Unary returns the integer function of one argument of the given name, "-" and
// "~" among them, or nil if there is none.
func (t Int) Unary(name string) func(x uint64) uint64 {
	switch t {
	case Int{8, true}:
		return unaryNamed[int8](name)
	case Int{8, false}:
		return unaryNamed[uint8](name)
	case Int{16, true}:
		return unaryNamed[int16](name)
	case Int{16, false}:
		return unaryNamed[uint16](name)
	case Int{32, true}:
		return unaryNamed[int32](name)
	case Int{32, false}:
		return unaryNamed[uint32](name)
	case Int{64, true}:
		return unaryNamed[int64](name)
	case Int{64, false}:
		return unaryNamed[uint64](name)
	}
	return nil
}

// Binary returns the operator (+ - * / % & | ^ << >>) or integer function of two
// arguments of the given name, or nil if there is none. The result of absdiff is
// canonical in the unsigned type, all others in t.
func (t Int) Binary(name string) func(x, y uint64) uint64 {
	switch t {
	case Int{8, true}:
		return binaryNamed[int8](name)
	case Int{8, false}:
		return binaryNamed[uint8](name)
	case Int{16, true}:
		return binaryNamed[int16](name)
	case Int{16, false}:
		return binaryNamed[uint16](name)
	case Int{32, true}:
		return firstOf(mul24Named[int32](name), binaryNamed[int32](name))
	case Int{32, false}:
		return firstOf(mul24Named[uint32](name), binaryNamed[uint32](name))
	case Int{64, true}:
		return binaryNamed[int64](name)
	case Int{64, false}:
		return binaryNamed[uint64](name)
	}
	return nil
}

// Ternary returns the integer function of three arguments of the given name, or
// nil if there is none; extract_bits(x, offset, count) is among them.
func (t Int) Ternary(name string) func(x, y, z uint64) uint64 {
	switch t {
	case Int{8, true}:
		return ternaryNamed[int8](name)
	case Int{8, false}:
		return ternaryNamed[uint8](name)
	case Int{16, true}:
		return ternaryNamed[int16](name)
	case Int{16, false}:
		return ternaryNamed[uint16](name)
	case Int{32, true}:
		if name == "mad24" {
			return func(x, y, z uint64) uint64 { return uint64(Mad24(int32(x), int32(y), int32(z))) }
		}
		return ternaryNamed[int32](name)
	case Int{32, false}:
		if name == "mad24" {
			return func(x, y, z uint64) uint64 { return uint64(Mad24(uint32(x), uint32(y), uint32(z))) }
		}
		return ternaryNamed[uint32](name)
	case Int{64, true}:
		return ternaryNamed[int64](name)
	case Int{64, false}:
		return ternaryNamed[uint64](name)
	}
	return nil
}

// InsertBits is insert_bits for values of the type.
func (t Int) InsertBits(base, insert uint64, offset, count uint32) uint64 {
	w := uint32(t.Bits)
	offset = min(offset, w)
	return t.Canonical(InsertBits(base, insert, offset, min(count, w-offset)))
}

func firstOf(f, g func(x, y uint64) uint64) func(x, y uint64) uint64 {
	if f != nil {
		return f
	}
	return g
}

func mul24Named[T int32 | uint32](name string) func(x, y uint64) uint64 {
	if name == "mul24" {
		return func(x, y uint64) uint64 { return uint64(Mul24(T(x), T(y))) }
	}
	return nil
}

func unaryNamed[T Integer](name string) func(x uint64) uint64 {
	lift := func(f func(T) T) func(uint64) uint64 {
		return func(x uint64) uint64 { return uint64(f(T(x))) }
	}
	switch name {
	case "-":
		return func(x uint64) uint64 { return uint64(-T(x)) }
	case "~":
		return func(x uint64) uint64 { return uint64(^T(x)) }
	case "abs":
		return lift(Abs[T])
	case "clz":
		return lift(Clz[T])
	case "ctz":
		return lift(Ctz[T])
	case "popcount":
		return lift(Popcount[T])
	case "reverse_bits":
		return lift(ReverseBits[T])
	}
	return nil
}

func binaryNamed[T Integer](name string) func(x, y uint64) uint64 {
	lift := func(f func(x, y T) T) func(x, y uint64) uint64 {
		return func(x, y uint64) uint64 { return uint64(f(T(x), T(y))) }
	}
	switch name {
	case "+":
		return func(x, y uint64) uint64 { return uint64(T(x) + T(y)) }
	case "-":
		return func(x, y uint64) uint64 { return uint64(T(x) - T(y)) }
	case "*":
		return func(x, y uint64) uint64 { return uint64(T(x) * T(y)) }
	case "&":
		return func(x, y uint64) uint64 { return x & y }
	case "|":
		return func(x, y uint64) uint64 { return x | y }
	case "^":
		return func(x, y uint64) uint64 { return x ^ y }
	case "/":
		return lift(Quotient[T])
	case "%":
		return lift(Remainder[T])
	case "<<":
		return lift(ShiftLeft[T])
	case ">>":
		return lift(ShiftRight[T])
	case "absdiff":
		return func(x, y uint64) uint64 { return zeroExtended(AbsDiff(T(x), T(y))) }
	case "addsat":
		return lift(AddSat[T])
	case "hadd":
		return lift(HAdd[T])
	case "max":
		return func(x, y uint64) uint64 { return uint64(max(T(x), T(y))) }
	case "min":
		return func(x, y uint64) uint64 { return uint64(min(T(x), T(y))) }
	case "mulhi":
		return lift(MulHi[T])
	case "rhadd":
		return lift(RHAdd[T])
	case "rotate":
		return lift(Rotate[T])
	case "subsat":
		return lift(SubSat[T])
	}
	return nil
}

func ternaryNamed[T Integer](name string) func(x, y, z uint64) uint64 {
	lift := func(f func(x, y, z T) T) func(x, y, z uint64) uint64 {
		return func(x, y, z uint64) uint64 { return uint64(f(T(x), T(y), T(z))) }
	}
	switch name {
	case "clamp":
		return lift(ClampInt[T])
	case "extract_bits":
		return func(x, offset, count uint64) uint64 {
			return uint64(ExtractBits(T(x), uint32(offset), uint32(count)))
		}
	case "madhi":
		return lift(MadHi[T])
	case "madsat":
		return lift(MadSat[T])
	case "max3":
		return lift(Max3[T])
	case "median3":
		return lift(Median3[T])
	case "min3":
		return lift(Min3[T])
	}
	return nil
}
