// Scalars, and the fibres of runtime.cc.
#pragma once
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef __fp16 half;
typedef signed char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
typedef long intptr_t;
typedef ulong uintptr_t;

#define INFINITY __builtin_inff()
#define HUGE_VALF __builtin_inff()
#define NAN __builtin_nanf("")
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1p-126f
#define FLT_EPSILON 0x1p-23f
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define HALF_MAX ((half)65504.0f)
#define HALF_MIN ((half)0x1p-14f)
#define HALF_EPSILON ((half)0x1p-10f)
#define MAXFLOAT 0x1.fffffep127f
#define MAXHALF ((half)65504.0f)
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1)
#define ULONG_MAX 18446744073709551615ul
#define M_PI_F 3.14159265358979323846264338327950288f
#define M_PI_2_F 1.57079632679489661923132169163975144f
#define M_PI_4_F 0.785398163397448309615660845819875721f
#define M_1_PI_F 0.318309886183790671537767526745028724f
#define M_2_PI_F 0.636619772367581343075535053490057448f
#define M_2_SQRTPI_F 1.12837916709551257389615890312154517f
#define M_SQRT2_F 1.41421356237309504880168872420969808f
#define M_SQRT1_2_F 0.707106781186547524400844362104849039f
#define M_E_F 2.71828182845904523536028747135266250f
#define M_LOG2E_F 1.44269504088896340735992468100189214f
#define M_LOG10E_F 0.434294481903251827651128918916605082f
#define M_LN2_F 0.693147180559945309417232121458176568f
#define M_LN10_F 2.30258509299404568401799145468436421f
#define M_PI_H ((half)M_PI_F)

struct witness_slot { char bytes[64]; };
struct witness_binding { uint kind, index; };
struct witness_entry {
	void (*call)();
	const witness_binding *arguments;
};
extern "C" {
void witness_barrier();
uint witness_simd(const void *mine, uint size, witness_slot **slots, uint site); // the lanes that take part
uint witness_lane();
uint witness_simdgroup();
const void *witness_argument(uint i);
}

template <bool B, class T = void> struct witness_only {};
template <class T> struct witness_only<true, T> { typedef T type; };

// bfloat computes in float and rounds to nearest, ties to even. With a float it becomes one.
struct bfloat {
	ushort bits;
	bfloat() = default;
	explicit constexpr bfloat(float x) : bits(rounded(x)) {}
	template <class T, typename witness_only<!__is_integral(T), int>::type = 0> explicit constexpr bfloat(T x) : bfloat((float)x) {}
	template <class T, typename witness_only<__is_integral(T), int>::type = 0> constexpr bfloat(T x) : bfloat((float)x) {}
	constexpr operator float() const { return __builtin_bit_cast(float, (uint)bits << 16); }
	static constexpr ushort rounded(float x) {
		uint u = __builtin_bit_cast(uint, x);
		return x != x ? (ushort)(u >> 16 | 64) : (ushort)((u + 0x7fff + (u >> 16 & 1)) >> 16);
	}
	constexpr bfloat operator-() const { bfloat r = *this; r.bits ^= 0x8000; return r; }
	constexpr bfloat operator+() const { return *this; }
	bfloat &operator++() { return *this = bfloat((float)*this + 1); }
	bfloat &operator--() { return *this = bfloat((float)*this - 1); }
	bfloat operator++(int) { bfloat r = *this; ++*this; return r; }
	bfloat operator--(int) { bfloat r = *this; --*this; return r; }
};
template <class T> constexpr bool witness_is_integer = __is_integral(T);
#define OPERATOR(op) \
	constexpr bfloat operator op(bfloat a, bfloat b) { return bfloat((float)a op (float)b); } \
	constexpr float operator op(bfloat a, float b) { return (float)a op b; } \
	constexpr float operator op(float a, bfloat b) { return a op (float)b; } \
	template <class T> constexpr typename witness_only<witness_is_integer<T>, bfloat>::type operator op(bfloat a, T b) { return bfloat((float)a op (float)bfloat(b)); } \
	template <class T> constexpr typename witness_only<witness_is_integer<T>, bfloat>::type operator op(T a, bfloat b) { return bfloat((float)bfloat(a) op (float)b); } \
	template <class T> bfloat &operator op##=(bfloat &a, T b) { return a = bfloat((float)(a op b)); }
OPERATOR(+) OPERATOR(-) OPERATOR(*) OPERATOR(/)
#undef OPERATOR
template <class T> constexpr bool witness_is_number = __is_integral(T) || __is_floating_point(T) || __is_enum(T) || __is_same(T, half) || __is_same(T, bfloat);
