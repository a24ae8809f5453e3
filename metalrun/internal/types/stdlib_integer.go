package types

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
	{sig: "T extract_bits(T x, uint offset, uint bits)", over: integers, since: 120, doc: "bits [offset, offset + bits) of x, sign-extended for signed types"},
	{sig: "T insert_bits(T base, T insert, uint offset, uint bits)", over: integers, since: 120, doc: "base with its bits [offset, offset + bits) replaced by the low bits of insert"},
}
