package ir

// Function describes a name that Math or Simd instructions may carry.
type Function struct {
	Name    string
	Args    int  // number of arguments
	Results int  // number of results
	Float   bool // works on floating registers; otherwise on integers
}

// MathFunctions are the functions of Math instructions.
//
// Floating functions take and give registers of one floating type, except that
// ldexp takes an I32 exponent second, frexp gives fraction and I32 exponent,
// ilogb gives an I32, and modf gives fraction and whole part. Results are those
// of the mathematical function rounded once to the type; special cases are
// those of the Metal specification.
//
// Integer functions are named for their width and signedness where it
// matters: the suffix is s8 u8 s16 u16 s32 u32 s64 u64, operands are extended
// to their register type, and the result is again extended, e.g. "mulhi_s32",
// "clz_u8", "addsat_s16".
var MathFunctions = []Function{
	{"sqrt", 1, 1, true}, {"rsqrt", 1, 1, true},
	{"exp", 1, 1, true}, {"exp2", 1, 1, true}, {"exp10", 1, 1, true},
	{"log", 1, 1, true}, {"log2", 1, 1, true}, {"log10", 1, 1, true},
	{"sin", 1, 1, true}, {"cos", 1, 1, true}, {"tan", 1, 1, true},
	{"sinpi", 1, 1, true}, {"cospi", 1, 1, true}, {"tanpi", 1, 1, true},
	{"asin", 1, 1, true}, {"acos", 1, 1, true}, {"atan", 1, 1, true}, {"atan2", 2, 1, true},
	{"sinh", 1, 1, true}, {"cosh", 1, 1, true}, {"tanh", 1, 1, true},
	{"asinh", 1, 1, true}, {"acosh", 1, 1, true}, {"atanh", 1, 1, true},
	{"pow", 2, 1, true}, {"powr", 2, 1, true},
	{"abs", 1, 1, true}, {"floor", 1, 1, true}, {"ceil", 1, 1, true}, {"trunc", 1, 1, true},
	{"rint", 1, 1, true}, {"round", 1, 1, true}, {"fract", 1, 1, true},
	{"min", 2, 1, true}, {"max", 2, 1, true}, {"fmod", 2, 1, true}, {"fdim", 2, 1, true},
	{"copysign", 2, 1, true}, {"nextafter", 2, 1, true}, {"sign", 1, 1, true},
	{"ldexp", 2, 1, true}, {"frexp", 1, 2, true}, {"ilogb", 1, 1, true}, {"modf", 1, 2, true},
	{"isfinite", 1, 1, true}, {"isinf", 1, 1, true}, {"isnan", 1, 1, true}, {"isnormal", 1, 1, true}, {"signbit", 1, 1, true}, // give Bool
	// Integers, one row per base name; the suffix follows "_".
	{"min", 2, 1, false}, {"max", 2, 1, false}, {"abs", 1, 1, false}, {"absdiff", 2, 1, false},
	{"addsat", 2, 1, false}, {"subsat", 2, 1, false}, {"hadd", 2, 1, false}, {"rhadd", 2, 1, false},
	{"mulhi", 2, 1, false}, {"madhi", 3, 1, false}, {"madsat", 3, 1, false}, {"mul24", 2, 1, false}, {"mad24", 3, 1, false},
	{"clz", 1, 1, false}, {"ctz", 1, 1, false}, {"popcount", 1, 1, false}, {"reverse_bits", 1, 1, false}, {"rotate", 2, 1, false},
	{"extract_bits", 3, 1, false}, {"insert_bits", 4, 1, false}, // offsets and counts are I32
}
