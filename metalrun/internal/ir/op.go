package ir

import "fmt"

// Op is an operation.
type Op uint8

// d, a, b, c are Dst[0] and Args; T is the type of d. "any" is any register type.
const (
	Nop    Op = iota
	Copy      // d = a                         any
	Poison    // d = indeterminate             any; executors choose a conspicuous value

	Add // d = a + b                           T: I32 I64 F32 F16 BF16
	Sub // d = a - b                           as Add
	Mul // d = a * b                           as Add
	Div // d = a / b                           floating
	Neg // d = -a                              I32 I64 floating (sign bit flipped)
	FMA // d = a*b + c, one rounding           floating

	SDiv // d = a / b toward zero              I32 I64; b = 0 and MIN/-1 give unspecified values, no trap
	UDiv
	SRem // sign of a
	URem

	And // d = a & b                           I32 I64 Bool
	Or
	Xor
	Not // d = ^a                              I32 I64; logical not for Bool
	Shl // d = a << (b mod width)              I32 I64; b has the type of a
	LShr
	AShr

	Eq  // d = a == b                          d Bool; a, b: I32 I64 Bool floating Ptr
	Ne  // d = a != b                          NaN compares unequal
	SLt // d = a < b signed                    I32 I64
	SLe
	ULt // unsigned                            I32 I64 Ptr
	ULe
	FLt // d = a < b                           floating; false if either is NaN
	FLe

	Select // d = a ? b : c                    a Bool; b, c, d any one type. Both are evaluated already

	Convert // d = (To)a                       From, To Scalars; to integers: truncation, saturating, NaN is 0
	// d = bits of a                   From→To of equal size: U32↔R32, U16↔H16, U16↔T16 (low bits of an I32;
	// zero-extended), U64↔P64
	Bitcast
	Pack   // d = lo | hi<<32                 d I64; Args lo, hi I32
	Unpack // lo, hi = a                      Dst lo, hi I32; a I64

	PtrAdd // d = a + b                        d, a Ptr; b I64 bytes
	PtrSub // d = a - b                        d I64; a, b Ptr: difference in bytes

	Load  // Dst… = Mem                       From: the element's type; each d has From.Type()
	Store // Mem = Args…                      From likewise
	// d = Fn(Mem, Args…)               Fn: load store exchange compare_exchange add sub and or xor min max; From:
	// element (S32 U32 R32 U64 B8)
	Atomic
	//                                         store has no d. compare_exchange: Dst = success (Bool), old; Args =
	// expected, desired

	Math // Dst… = Fn(Args…)                   elementary and integer functions, see math_function.go
	Simd // Dst… = Fn(Args…)                   communication in a simdgroup or quad, see simd_function.go

	// Barrier waits for all threads of the threadgroup (Fn "threadgroup") or
	// of the simdgroup ("simdgroup"). Flags is the literal mem_flags mask.
	Barrier // Args = flags (I32 literal)
	// Fence orders memory without waiting: atomic_thread_fence.
	Fence // Args = flags (I32 literal)

	// Converge does nothing: all threads of the simdgroup have to be here, because
	// a matrix is loaded or stored.
	Converge

	// MatMul is one 8×8 product in a simdgroup: d = a·b + c. Every matrix is two
	// registers a lane, the elements (r, c) and (r, c+1) of lane l with
	// q = l/4, r = (q&4) + (l/2)%4, c = (q&2)*2 + (l%2)*2.
	// Element (i, j) of d sums over k ascending, starting from c. All operands
	// are read before d0 and d1 are set.
	MatMul // d0, d1 = a0, a1, b0, b1, c0, c1; d and c one type, a and b one type: F32 F16 BF16

	// Cover does nothing: a thread comes to the statement that has its position. Extra is the number of the statement
	// among those with this position.
	Cover
)

// Extended is the first number of operations that other packages define, such as an executor's instrumentation. They
// read Args and Mem and set Dst. Passes keep them where they are and know nothing else of them; Verify refuses them.
const Extended Op = 0x80

// OpInfo is all that passes and executors know about an operation, except what it
// computes: only the evaluator, the executor, the constant folder and analyses that
// compute with something other than values, such as bounds, switch over operations.
// Every instruction costs one step. A new operation is a constant with its picture,
// a row of ops, and a case in the evaluator and in the executor, which
// TestEveryOperation compares.
type OpInfo struct {
	Name    string
	form    form
	Prints  Printing
	Effects Effects
	// Kept operations stay even if nothing reads their results.
	Kept bool
	// Shared says when two of them with the same operands are one, which may also
	// move to where their operands are the same.
	Shared Sharing
	// Commutes: the first two operands may change places.
	Commutes bool
	// Neutral is the second operand with which an integer result is the first.
	Neutral Neutral
	// Contracts: it may have a contraction group.
	Contracts bool
	// FastMath: it carries fast-math flags if it is floating.
	FastMath bool
	// ReadsFirst: all operands are read before the first of several results is set.
	ReadsFirst bool
	// Varies: threads with the same operands may get different results.
	Varies bool
	// MakesNaN: a floating result may be a NaN although no operand is.
	MakesNaN bool
	Freedom  Freedom
}

// Effects are what an operation does beyond setting its results.
type Effects uint8

const (
	Reads      Effects = 1 << iota // memory
	Writes                         // memory
	Orders                         // accesses to memory
	Collective                     // the threads of a simdgroup act together; a barrier has its own rule
	Faults                         // it may end the launch, where it is reached
)

// Has reports whether some of the effects wanted are among e.
func (e Effects) Has(wanted Effects) bool { return e&wanted != 0 }

// Printing is what an instruction shows in addition to its registers.
type Printing uint8

const (
	PlainText      Printing = iota
	ConversionText          // From and To
	AccessText              // From and Mem
	ElementText             // From
)

// Sharing says when two equal instructions are one.
type Sharing uint8

const (
	NotShared      Sharing = iota
	IntegersShared         // unless the result is floating: such instructions keep their place, for contraction
	AlwaysShared
	ConstantsShared // loads of constant memory that is not volatile
)

// Neutral is a second operand that leaves the first as it is.
type Neutral uint8

const (
	NoNeutral Neutral = iota
	ZeroNeutral
	OneNeutral
	OnesNeutral // all bits
)

// is reports whether the literal with these bits is neutral in a type.
func (n Neutral) is(t Type, bits uint64) bool {
	switch n {
	case ZeroNeutral:
		return bits == 0
	case OneNeutral:
		return bits == 1
	case OnesNeutral:
		return bits == Canonical(t, ^uint64(0)) || t == Bool && bits == 1
	}
	return false
}

// Freedom is what Metal leaves to the device about a result.
type Freedom uint8

const (
	Determined   Freedom = iota
	Contents             // of memory that was never written
	Contraction          // of the members of a group to an fma
	Accuracy             // within the limits of the function
	SumOrder             // of a simdgroup's floating sums and products
	TileOrder            // and contraction, of a matrix product
	ArrivalOrder         // in which threads arrive at an atomic operation
	OutOfRange           // the integer made of a float that is none
	ZeroDivisor          // the quotient by zero, or of the least integer by -1
	InactiveLane         // the value of a lane that is not active
)

var ops = [...]OpInfo{
	Nop:    {Name: "nop", form: exactly(nil, nil)},
	Copy:   {Name: "copy", form: alike(1, anyType)},
	Poison: {Name: "poison", form: alike(0, anyType), Freedom: Contents},

	Add: {Name: "add", form: alike(2, numberTypes), FastMath: true, Shared: IntegersShared, Commutes: true,
		Neutral: ZeroNeutral, Contracts: true, MakesNaN: true, Freedom: Contraction},
	Sub: {Name: "sub", form: alike(2, numberTypes), FastMath: true, Shared: IntegersShared, Neutral: ZeroNeutral,
		Contracts: true, MakesNaN: true, Freedom: Contraction},
	Mul: {Name: "mul", form: alike(2, numberTypes), FastMath: true, Shared: IntegersShared, Commutes: true,
		Neutral: OneNeutral, Contracts: true, MakesNaN: true},
	Div: {Name: "div", form: alike(2, floatingTypes), FastMath: true, MakesNaN: true, Freedom: Accuracy},
	Neg: {Name: "neg", form: alike(1, numberTypes), FastMath: true, Shared: IntegersShared, Contracts: true},
	FMA: {Name: "fma", form: alike(3, floatingTypes), FastMath: true, Commutes: true, MakesNaN: true},

	SDiv: {Name: "sdiv", form: alike(2, integerTypes), Shared: AlwaysShared, Neutral: OneNeutral, Freedom: ZeroDivisor},
	UDiv: {Name: "udiv", form: alike(2, integerTypes), Shared: AlwaysShared, Neutral: OneNeutral, Freedom: ZeroDivisor},
	SRem: {Name: "srem", form: alike(2, integerTypes), Shared: AlwaysShared, Freedom: ZeroDivisor},
	URem: {Name: "urem", form: alike(2, integerTypes), Shared: AlwaysShared, Freedom: ZeroDivisor},

	And:  {Name: "and", form: alike(2, bitTypes), Shared: AlwaysShared, Commutes: true, Neutral: OnesNeutral},
	Or:   {Name: "or", form: alike(2, bitTypes), Shared: AlwaysShared, Commutes: true, Neutral: ZeroNeutral},
	Xor:  {Name: "xor", form: alike(2, bitTypes), Shared: AlwaysShared, Commutes: true, Neutral: ZeroNeutral},
	Not:  {Name: "not", form: alike(1, bitTypes), Shared: AlwaysShared},
	Shl:  {Name: "shl", form: alike(2, integerTypes), Shared: AlwaysShared, Neutral: ZeroNeutral},
	LShr: {Name: "lshr", form: alike(2, integerTypes), Shared: AlwaysShared, Neutral: ZeroNeutral},
	AShr: {Name: "ashr", form: alike(2, integerTypes), Shared: AlwaysShared, Neutral: ZeroNeutral},

	Eq:  {Name: "eq", form: relation(anyType), FastMath: true, Shared: AlwaysShared, Commutes: true},
	Ne:  {Name: "ne", form: relation(anyType), FastMath: true, Shared: AlwaysShared, Commutes: true},
	SLt: {Name: "slt", form: relation(integerTypes), Shared: AlwaysShared},
	SLe: {Name: "sle", form: relation(integerTypes), Shared: AlwaysShared},
	ULt: {Name: "ult", form: relation(integerTypes | typesOf(Ptr)), Shared: AlwaysShared},
	ULe: {Name: "ule", form: relation(integerTypes | typesOf(Ptr)), Shared: AlwaysShared},
	FLt: {Name: "flt", form: relation(floatingTypes), FastMath: true, Shared: AlwaysShared},
	FLe: {Name: "fle", form: relation(floatingTypes), FastMath: true, Shared: AlwaysShared},

	Select: {Name: "select", form: form{1, 3, signature.selection}, FastMath: true},

	Convert: {Name: "convert", form: form{1, 1, signature.conversion}, Prints: ConversionText, Shared: AlwaysShared,
		Freedom: OutOfRange},
	Bitcast: {Name: "bitcast", form: form{1, 1, signature.bitcast}, Prints: ConversionText, Shared: AlwaysShared},
	Pack:    {Name: "pack", form: exactly([]Type{I64}, []Type{I32, I32}), Shared: AlwaysShared},
	Unpack:  {Name: "unpack", form: exactly([]Type{I32, I32}, []Type{I64}), Shared: AlwaysShared},

	PtrAdd: {Name: "ptradd", form: exactly([]Type{Ptr}, []Type{Ptr, I64}), Shared: AlwaysShared, Neutral: ZeroNeutral},
	PtrSub: {Name: "ptrsub", form: exactly([]Type{I64}, []Type{Ptr, Ptr}), Shared: AlwaysShared},

	Load: {Name: "load", form: form{many, 0, signature.loaded}, Prints: AccessText, Effects: Reads | Faults,
		Kept: true, Shared: ConstantsShared},
	Store: {Name: "store", form: form{0, many, signature.stored}, Prints: AccessText, Effects: Writes | Faults,
		Kept: true},
	Atomic: {Name: "atomic", form: form{many, many, signature.atomic}, Prints: AccessText,
		Effects: Reads | Writes | Faults, Kept: true, Varies: true, Freedom: ArrivalOrder},

	Math: {Name: "math", form: form{many, many, signature.math}, FastMath: true, MakesNaN: true, Freedom: Accuracy},
	Simd: {Name: "simd", form: form{1, many, signature.simd}, FastMath: true, Prints: ElementText, Effects: Collective,
		Kept: true, Varies: true},

	Barrier:  {Name: "barrier", form: form{0, 1, signature.barrier}, Effects: Orders | Faults, Kept: true},
	Fence:    {Name: "fence", form: exactly(nil, []Type{I32}), Effects: Orders, Kept: true},
	Converge: {Name: "converge", form: exactly(nil, nil), Effects: Collective | Faults, Kept: true},

	MatMul: {Name: "matmul", form: form{2, 6, signature.matMul}, FastMath: true, Effects: Collective | Faults,
		ReadsFirst: true, Varies: true, MakesNaN: true, Freedom: TileOrder},

	Cover: {Name: "cover", form: exactly(nil, nil), Kept: true},
}

// extendedOp is the row of every operation of another package.
var extendedOp = OpInfo{form: form{many, many, signature.never}, Kept: true}

// Info is the row of an operation. A number that is none, and an operation of another package, has no name.
func (o Op) Info() *OpInfo {
	if int(o) < len(ops) {
		return &ops[o]
	}
	if o >= Extended {
		return &extendedOp
	}
	return &OpInfo{form: form{many, many, signature.never}}
}

func (o Op) String() string {
	if name := o.Info().Name; name != "" {
		return name
	}
	return fmt.Sprintf("op(%d)", uint8(o))
}
