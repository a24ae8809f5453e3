package types

// Functions of <metal_math> and <metal_common>. bfloat has none of its own: an argument
// converts to float. (The 3.1 library has no bfloat overloads; where other
// types compete a call is ambiguous, as it is with Apple's headers.)
var mathBuiltins = []builtin{
	// Exponentials and logarithms.
	{sig: "T exp(T x)", over: floats, prec: true, doc: "e to the x"},
	{sig: "T exp2(T x)", over: floats, prec: true, doc: "2 to the x"},
	{sig: "T exp10(T x)", over: floats, prec: true, doc: "10 to the x"},
	{sig: "T log(T x)", over: floats, prec: true, doc: "natural logarithm"},
	{sig: "T log2(T x)", over: floats, prec: true, doc: "logarithm to base 2"},
	{sig: "T log10(T x)", over: floats, prec: true, doc: "logarithm to base 10"},
	{sig: "T pow(T x, T y)", over: floats, prec: true, doc: "x to the y"},
	{sig: "T powr(T x, T y)", over: floats, prec: true, doc: "x to the y for x ≥ 0; NaN otherwise"},
	{sig: "T sqrt(T x)", over: floats, prec: true, doc: "square root"},
	{sig: "T rsqrt(T x)", over: floats, prec: true, doc: "1 / sqrt(x)"},

	// Trigonometry.
	{sig: "T sin(T x)", over: floats, prec: true, doc: "sine of x radians"},
	{sig: "T cos(T x)", over: floats, prec: true, doc: "cosine of x radians"},
	{sig: "T tan(T x)", over: floats, prec: true, doc: "tangent of x radians"},
	{sig: "T sinpi(T x)", over: floats, prec: true, doc: "sin(πx)"},
	{sig: "T cospi(T x)", over: floats, prec: true, doc: "cos(πx)"},
	{sig: "T tanpi(T x)", over: floats, prec: true, doc: "tan(πx)"},
	{sig: "T sincos(T x, thread T &cosval)", over: floats, prec: true, doc: "sine; the cosine goes to cosval"},
	{sig: "T asin(T x)", over: floats, prec: true, doc: "arc sine"},
	{sig: "T acos(T x)", over: floats, prec: true, doc: "arc cosine"},
	{sig: "T atan(T x)", over: floats, prec: true, doc: "arc tangent"},
	{sig: "T atan2(T y, T x)", over: floats, prec: true, doc: "angle of the point (x, y)"},
	{sig: "T sinh(T x)", over: floats, prec: true, doc: "hyperbolic sine"},
	{sig: "T cosh(T x)", over: floats, prec: true, doc: "hyperbolic cosine"},
	{sig: "T tanh(T x)", over: floats, prec: true, doc: "hyperbolic tangent"},
	{sig: "T asinh(T x)", over: floats, prec: true, doc: "inverse hyperbolic sine"},
	{sig: "T acosh(T x)", over: floats, prec: true, doc: "inverse hyperbolic cosine"},
	{sig: "T atanh(T x)", over: floats, prec: true, doc: "inverse hyperbolic tangent"},

	// Rounding and parts of a number.
	{sig: "T floor(T x)", over: floats, prec: true, doc: "largest integer ≤ x"},
	{sig: "T ceil(T x)", over: floats, prec: true, doc: "smallest integer ≥ x"},
	{sig: "T trunc(T x)", over: floats, prec: true, doc: "x rounded toward zero"},
	{sig: "T rint(T x)", over: floats, prec: true, doc: "x rounded to nearest, ties to even"},
	{sig: "T round(T x)", over: floats, prec: true, doc: "x rounded to nearest, ties away from zero"},
	{sig: "T fract(T x)", over: floats, prec: true, doc: "x - floor(x), below 1"},
	{sig: "T frexp(T x, thread Ti &exponent)", over: floats, prec: true,
		doc: "fraction in [0.5, 1) of x = fraction·2^exponent"},
	{sig: "T ldexp(T x, Ti k)", over: floats, prec: true, doc: "x·2^k"},
	{sig: "Ti ilogb(T x)", over: floats, prec: true, doc: "exponent of x as an integer"},
	{sig: "T modf(T x, thread T &intval)", over: floats, prec: true,
		doc: "fraction of x; the whole part goes to intval"},
	{sig: "T nextafter(T x, T y)", over: floats, since: 310, doc: "next value after x toward y"},
	{sig: "T copysign(T x, T y)", over: floats, prec: true, doc: "magnitude of x with the sign of y"},
	{sig: "T abs(T x)", over: floats, prec: true, doc: "|x|"},
	{sig: "T fabs(T x)", over: floats, prec: true, doc: "|x|"},

	// Extremes. min, max and their relatives are the same functions as fmin, fmax: a NaN loses.
	{sig: "T min(T x, T y)", over: floats, prec: true,
		doc: "y if y < x, otherwise x; of a NaN and a number, the number"},
	{sig: "T max(T x, T y)", over: floats, prec: true,
		doc: "y if x < y, otherwise x; of a NaN and a number, the number"},
	{sig: "T fmin(T x, T y)", over: floats, prec: true, doc: "min"},
	{sig: "T fmax(T x, T y)", over: floats, prec: true, doc: "max"},
	{sig: "T min3(T x, T y, T z)", over: floats, prec: true, doc: "min(x, min(y, z))"},
	{sig: "T max3(T x, T y, T z)", over: floats, prec: true, doc: "max(x, max(y, z))"},
	{sig: "T median3(T x, T y, T z)", over: floats, prec: true, doc: "middle value; NaNs are left out"},
	{sig: "T fmin3(T x, T y, T z)", over: floats, prec: true, doc: "min3"},
	{sig: "T fmax3(T x, T y, T z)", over: floats, prec: true, doc: "max3"},
	{sig: "T fmedian3(T x, T y, T z)", over: floats, prec: true, doc: "median3"},

	// Arithmetic.
	{sig: "T fma(T a, T b, T c)", over: floats, doc: "a*b + c, rounded once"},
	{sig: "T divide(T x, T y)", over: floats, prec: true, doc: "x / y"},
	{sig: "T fmod(T x, T y)", over: floats, prec: true, doc: "x - y·trunc(x/y)"},
	{sig: "T fdim(T x, T y)", over: floats, prec: true, doc: "x - y if x > y, otherwise +0"},

	// Common functions.
	{sig: "T clamp(T x, T minval, T maxval)", over: floats, prec: true, doc: "fmin(fmax(x, minval), maxval)"},
	{sig: "T saturate(T x)", over: floats, prec: true, doc: "clamp(x, 0, 1)"},
	{sig: "T mix(T x, T y, T a)", over: floats, doc: "x + (y - x)·a"},
	{sig: "T sign(T x)", over: floats, doc: "1, -1, ±0, or 0 for NaN"},
	{sig: "T smoothstep(T edge0, T edge1, T x)", over: floats,
		doc: "t·t·(3 - 2t) with t = saturate((x - edge0)/(edge1 - edge0))"},
	{sig: "T step(T edge, T x)", over: floats, doc: "0 if x < edge, otherwise 1"},
}

// Functions of <metal_relational>.
var relationalBuiltins = []builtin{
	{sig: "bool all(T x)", over: bools, doc: "every component is true"},
	{sig: "bool any(T x)", over: bools, doc: "some component is true"},
	{sig: "T select(T a, T b, Tb c)", over: selectables, doc: "component by component c ? b : a"},
	{sig: "Tb isfinite(T x)", over: floats, doc: "neither infinite nor NaN"},
	{sig: "Tb isinf(T x)", over: floats, doc: "infinite"},
	{sig: "Tb isnan(T x)", over: floats, doc: "not a number"},
	{sig: "Tb isnormal(T x)", over: floats, doc: "finite, not zero, not subnormal"},
	{sig: "Tb isordered(T x, T y)", over: floats, doc: "neither is NaN"},
	{sig: "Tb isunordered(T x, T y)", over: floats, doc: "one is NaN"},
	{sig: "Tb signbit(T x)", over: floats, doc: "the sign bit is set, also for -0 and NaN"},
}

// Functions of <metal_geometric> and <metal_matrix>. The order in which
// products are added is the device's choice.
var geometricBuiltins = []builtin{
	{sig: "Ts dot(T x, T y)", over: floatVecs, doc: "sum of products"},
	{sig: "T cross(T x, T y)", over: class{floatKinds, vector3}, doc: "cross product"},
	{sig: "Ts length(T x)", over: floatVecs, prec: true, doc: "sqrt(dot(x, x))"},
	{sig: "Ts length_squared(T x)", over: floatVecs, doc: "dot(x, x)"},
	{sig: "Ts distance(T x, T y)", over: floatVecs, prec: true, doc: "length(x - y)"},
	{sig: "Ts distance_squared(T x, T y)", over: floatVecs, doc: "length_squared(x - y)"},
	{sig: "T normalize(T x)", over: floatVecs, prec: true, doc: "x·rsqrt(dot(x, x))"},
	{sig: "T faceforward(T n, T i, T nref)", over: floatVecs, doc: "n if dot(nref, i) < 0, otherwise -n"},
	{sig: "T reflect(T i, T n)", over: floatVecs, doc: "i - 2·dot(n, i)·n"},
	{sig: "T refract(T i, T n, Ts eta)", over: floatVecs, doc: "direction of refraction, 0 at total reflection"},

	{sig: "Tt transpose(T m)", over: class{floatKinds, matrixShape}, doc: "rows as columns"},
	{sig: "Ts determinant(T m)", over: class{floatKinds, squareShape}, doc: "determinant"},
}

// Functions of <metal_integer>.
var integerBuiltins = []builtin{
	{sig: "T abs(T x)", over: integers, doc: "|x|; the smallest number stays itself"},
	{sig: "Tu absdiff(T x, T y)", over: integers, doc: "|x - y| without overflow"},
	{sig: "T addsat(T x, T y)", over: integers, doc: "x + y, saturating"},
	{sig: "T subsat(T x, T y)", over: integers, doc: "x - y, saturating"},
	{sig: "T hadd(T x, T y)", over: integers, doc: "(x + y) >> 1 without overflow"},
	{sig: "T rhadd(T x, T y)", over: integers, doc: "(x + y + 1) >> 1 without overflow"},
	{sig: "T clamp(T x, T minval, T maxval)", over: integers, doc: "min(max(x, minval), maxval)"},
	{sig: "T min(T x, T y)", over: integers, doc: "the smaller"},
	{sig: "T max(T x, T y)", over: integers, doc: "the larger"},
	{sig: "T min3(T x, T y, T z)", over: integers, doc: "the smallest of three"},
	{sig: "T max3(T x, T y, T z)", over: integers, doc: "the largest of three"},
	{sig: "T median3(T x, T y, T z)", over: integers, doc: "the middle of three"},
	{sig: "T mulhi(T x, T y)", over: integers, doc: "high half of the product"},
	{sig: "T madhi(T a, T b, T c)", over: integers, doc: "mulhi(a, b) + c"},
	{sig: "T madsat(T a, T b, T c)", over: integers, doc: "a*b + c, saturating"},
	{sig: "T mul24(T x, T y)", over: words, doc: "product of 24-bit numbers"},
	{sig: "T mad24(T x, T y, T z)", over: words, doc: "mul24(x, y) + z"},
	{sig: "T clz(T x)", over: integers, doc: "leading zero bits; the width for 0"},
	{sig: "T ctz(T x)", over: integers, doc: "trailing zero bits; the width for 0"},
	{sig: "T popcount(T x)", over: integers, doc: "bits that are set"},
	{sig: "T reverse_bits(T x)", over: integers, since: 210, doc: "bits in opposite order"},
	{sig: "T rotate(T v, T i)", over: integers, doc: "bits rotated left by i mod width"},
	{sig: "T extract_bits(T x, uint offset, uint bits)", over: integers, since: 120,
		doc: "bits [offset, offset + bits) of x, sign-extended for signed types"},
	{sig: "T insert_bits(T base, T insert, uint offset, uint bits)", over: integers, since: 120,
		doc: "base with its bits [offset, offset + bits) replaced by the low bits of insert"},
}
