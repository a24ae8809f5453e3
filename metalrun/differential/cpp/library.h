// The functions of the library that compute.
#pragma once
#include "vector.h"

namespace metal {
template <class A, class B> struct witness_same { enum { value = __is_same(A, B) }; };
template <class A, class B, int = witness_elements<A>::vector * 2 + witness_elements<B>::vector> struct witness_common { typedef decltype(A() + B()) type; };
template <class A> struct witness_common<A, A, 0> { typedef A type; };
template <class A, class B> struct witness_common<A, B, 3> { typedef vec<witness_of<A>, witness_elements<A>::count> type; };
template <class A, class B> struct witness_common<A, B, 2> { typedef vec<witness_of<A>, witness_elements<A>::count> type; };
template <class A, class B> struct witness_common<A, B, 1> { typedef vec<witness_of<B>, witness_elements<B>::count> type; };
template <class A> using witness_value = typename witness_common<A, A>::type;

// Functions by element.
template <class R, class F, class... A> R witness_each(F f, A... a) {
	if constexpr (witness_elements<R>::vector) {
		R r;
		for (int i = 0; i < (int)witness_elements<R>::count; i++) r[i] = f(witness_element(a, i)...);
		return r;
	} else
		return f(a...);
}
template <class T> struct witness_unsigned_of { typedef ulong type; };
template <> struct witness_unsigned_of<char> { typedef uchar type; };
template <> struct witness_unsigned_of<uchar> { typedef uchar type; };
template <> struct witness_unsigned_of<short> { typedef ushort type; };
template <> struct witness_unsigned_of<ushort> { typedef ushort type; };
template <> struct witness_unsigned_of<int> { typedef uint type; };
template <> struct witness_unsigned_of<uint> { typedef uint type; };
template <class T> using witness_unsigned = typename witness_unsigned_of<T>::type;
template <class T, class U, int = witness_elements<T>::vector> struct witness_like { typedef U type; };
template <class T, class U> struct witness_like<T, U, 1> { typedef vec<U, witness_elements<T>::count> type; };
template <class T, class U> using witness_vec_like = typename witness_like<T, U>::type;
template <class T> T witness_saturated(__int128 x) {
	bool sign = (T)-1 < (T)0;
	__int128 high = ((__int128)1 << (8 * sizeof(T) - sign)) - 1, low = sign ? -high - 1 : 0;
	return (T)(x > high ? high : x < low ? low : x);
}
// Sines and cosines of half turns: what is not near an axis is reduced without rounding.
constexpr double witness_pi = 3.14159265358979323846;
inline double witness_sinpi(double x) {
	double r = __builtin_fmod(x, 2.0), a = __builtin_fabs(r);
	double s = a <= 0.25 ? __builtin_sin(witness_pi * a) : a <= 0.75 ? __builtin_cos(witness_pi * (a - 0.5)) : a <= 1.25 ? __builtin_sin(witness_pi * (1 - a)) : a <= 1.75 ? -__builtin_cos(witness_pi * (a - 1.5)) : __builtin_sin(witness_pi * (a - 2));
	return __builtin_copysign(1.0, r) * s;
}
inline double witness_cospi(double x) { return witness_sinpi(__builtin_fmod(x, 2.0) + 0.5); }
template <class E> E witness_smooth(E t) { return (E)((E)(t * t) * (E)((E)3 - (E)((E)2 * t))); }
#define UNARY(name, expression) \
	template <class A> witness_value<A> name(A a) { typedef witness_of<A> E; return witness_each<witness_value<A>>([](E x) -> E { return expression; }, a); }
#define BINARY(name, expression) \
	template <class A, class B> typename witness_common<A, B>::type name(A a, B b) { \
		typedef typename witness_common<A, B>::type R; typedef witness_of<R> E; \
		return witness_each<R>([](E x, E y) -> E { return expression; }, a, b); }
#define TERNARY(name, expression) \
	template <class A, class B, class C> typename witness_common<typename witness_common<A, B>::type, C>::type name(A a, B b, C c) { \
		typedef typename witness_common<typename witness_common<A, B>::type, C>::type R; typedef witness_of<R> E; \
		return witness_each<R>([](E x, E y, E z) -> E { return expression; }, a, b, c); }
BINARY(max, x < y || x != x ? y : x)
BINARY(min, y < x || x != x ? y : x)
BINARY(fmax, x < y || x != x ? y : x)
BINARY(fmin, y < x || x != x ? y : x)
TERNARY(clamp, min(max(x, y), z))
UNARY(abs, x < 0 ? (E)-x : (E)(x + (E)0))
UNARY(fabs, (E)__builtin_fabsf(x))
UNARY(floor, (E)__builtin_floorf(x))
UNARY(ceil, (E)__builtin_ceilf(x))
UNARY(trunc, (E)__builtin_truncf(x))
UNARY(round, (E)__builtin_roundf(x))
UNARY(rint, (E)__builtin_rintf(x))
UNARY(sqrt, (E)__builtin_sqrtf(x))
UNARY(rsqrt, (E)(float)(1 / __builtin_sqrt((double)x)))
UNARY(exp, (E)(float)__builtin_exp((double)x))
UNARY(exp2, (E)(float)__builtin_exp2((double)x))
UNARY(log, (E)(float)__builtin_log((double)x))
UNARY(log2, (E)(float)__builtin_log2((double)x))
UNARY(sin, (E)(float)__builtin_sin((double)x))
UNARY(cos, (E)(float)__builtin_cos((double)x))
UNARY(tanh, (E)(float)__builtin_tanh((double)x))
UNARY(sign, x > 0 ? (E)1 : x < 0 ? (E)-1 : x == 0 ? x : (E)0)
UNARY(saturate, (E)min(max(x, (E)0), (E)1))
BINARY(pow, (E)(float)__builtin_pow((double)x, (double)y))
BINARY(powr, x < 0 ? (E)__builtin_nanf("") : (E)(float)__builtin_pow((double)x, (double)y))
BINARY(fmod, (E)__builtin_fmodf(x, y))
BINARY(copysign, (E)__builtin_copysignf(x, y))
BINARY(step, y < x ? (E)0 : (E)1)
TERNARY(fma, sizeof(E) == 2 ? (E)(float)__builtin_fma((double)x, (double)y, (double)z) : (E)__builtin_fmaf(x, y, z))
TERNARY(mix, (E)(x + (E)((E)(y - x) * z)))
UNARY(popcount, (E)__builtin_popcountl((ulong)x & (~0ul >> (64 - 8 * sizeof(E)))))
UNARY(clz, (E)(((ulong)x << (64 - 8 * sizeof(E))) ? __builtin_clzl((ulong)x << (64 - 8 * sizeof(E))) : 8 * sizeof(E)))
UNARY(ctz, (E)(x ? __builtin_ctzl((ulong)x) : 8 * sizeof(E)))
UNARY(tan, (E)(float)__builtin_tan((double)x))
UNARY(asin, (E)(float)__builtin_asin((double)x))
UNARY(acos, (E)(float)__builtin_acos((double)x))
UNARY(atan, (E)(float)__builtin_atan((double)x))
UNARY(sinh, (E)(float)__builtin_sinh((double)x))
UNARY(cosh, (E)(float)__builtin_cosh((double)x))
UNARY(log10, (E)(float)__builtin_log10((double)x))
UNARY(exp10, (E)(float)__builtin_pow(10.0, (double)x))
UNARY(fract, min((E)(x - (E)__builtin_floorf(x)), sizeof(E) == 2 ? (E)0x1.ffcp-1f : (E)0x1.fffffep-1f))
UNARY(reverse_bits, (E)(__builtin_bitreverse64((ulong)x) >> (64 - 8 * sizeof(E))))
BINARY(atan2, (E)(float)__builtin_atan2((double)x, (double)y))
BINARY(fdim, x > y ? (E)(x - y) : (E)0)
BINARY(hadd, (E)(((__int128)x + (__int128)y) >> 1))
BINARY(rhadd, (E)(((__int128)x + (__int128)y + 1) >> 1))
BINARY(mulhi, (E)(((__int128)x * (__int128)y) >> (8 * sizeof(E))))
template <class A, class B, class T = typename witness_common<A, B>::type> witness_vec_like<T, witness_unsigned<witness_of<T>>> absdiff(A a, B b) { typedef witness_unsigned<witness_of<T>> U; return witness_each<witness_vec_like<T, U>>([](witness_of<T> x, witness_of<T> y) -> U { return x > y ? (U)x - (U)y : (U)y - (U)x; }, a, b); }
BINARY(rotate, (E)(((witness_unsigned<E>)x << ((uint)y % (8 * sizeof(E)))) | (((uint)y % (8 * sizeof(E))) ? (witness_unsigned<E>)x >> (8 * sizeof(E) - (uint)y % (8 * sizeof(E))) : 0)))
BINARY(addsat, (E)witness_saturated<E>((__int128)x + y))
BINARY(subsat, (E)witness_saturated<E>((__int128)x - y))
TERNARY(min3, min(min(x, y), z))
TERNARY(max3, max(max(x, y), z))
TERNARY(median3, max(min(x, y), min(max(x, y), z)))
TERNARY(mad24, (E)(x * y + z))
BINARY(mul24, (E)(x * y))
TERNARY(smoothstep, witness_smooth(min(max((E)((E)(z - x) / (E)(y - x)), (E)0), (E)1)))
UNARY(sinpi, (E)(float)witness_sinpi((double)x))
UNARY(cospi, (E)(float)witness_cospi((double)x))
UNARY(tanpi, (E)(float)(witness_sinpi((double)x) / witness_cospi((double)x)))
UNARY(asinh, (E)(float)__builtin_asinh((double)x))
UNARY(acosh, (E)(float)__builtin_acosh((double)x))
UNARY(atanh, (E)(float)__builtin_atanh((double)x))
BINARY(divide, (E)(x / y))
BINARY(nextafter, (E)__builtin_nextafterf(x, y))
TERNARY(madhi, (E)((E)(((__int128)x * (__int128)y) >> (8 * sizeof(E))) + z))
TERNARY(madsat, (E)witness_saturated<E>((__int128)x * y + z))
TERNARY(fmin3, min(min(x, y), z))
TERNARY(fmax3, max(max(x, y), z))
TERNARY(fmedian3, max(min(x, y), min(max(x, y), z)))
#undef UNARY
#undef BINARY
#undef TERNARY
#define ASK(name, expression) template <class A> witness_vec_like<A, bool> name(A a) { return witness_each<witness_vec_like<A, bool>>([](witness_of<A> x) -> bool { return expression; }, a); }
ASK(isnan, x != x)
ASK(isinf, x == x && x - x != x - x)
ASK(isfinite, x - x == x - x)
ASK(isnormal, __builtin_isnormal((float)x))
ASK(isunordered, x != x)
ASK(signbit, __builtin_signbit((float)x))
#undef ASK
template <class T> typename witness_only<!witness_elements<T>::vector, T>::type select(T a, T b, bool c) { return c ? b : a; }
template <class T, class C> typename witness_only<witness_elements<T>::vector, T>::type select(T a, T b, C c) {
	T r;
	for (int i = 0; i < witness_elements<T>::count; i++) r[i] = witness_element(c, i) ? b[i] : a[i];
	return r;
}
template <class T> bool all(T v) { for (int i = 0; i < witness_elements<T>::count; i++) if (!witness_element(v, i)) return false; return true; }
template <class T> bool any(T v) { for (int i = 0; i < witness_elements<T>::count; i++) if (witness_element(v, i)) return true; return false; }
template <class T> witness_of<T> dot(T a, T b) { witness_of<T> s = (witness_of<T>)(a[0] * b[0]); for (int i = 1; i < witness_elements<T>::count; i++) s = (witness_of<T>)(s + (witness_of<T>)(a[i] * b[i])); return s; }
template <class T> witness_of<T> length_squared(T a) { return dot(a, a); }
template <class T> witness_of<T> length(T a) { return sqrt(dot(a, a)); }
template <class T> witness_of<T> distance(T a, T b) { return length((T)(a - b)); }
template <class T> witness_of<T> distance_squared(T a, T b) { return dot((T)(a - b), (T)(a - b)); }
template <class T> T cross(T a, T b) { return (T)(a.yzx * b.zxy - a.zxy * b.yzx); }
template <class T> T extract_bits(T x, uint offset, uint bits) { return witness_each<T>([=](witness_of<T> v) -> witness_of<T> { return bits ? (witness_of<T>)((witness_of<T>)((witness_unsigned<witness_of<T>>)v << (8 * sizeof(witness_of<T>) - offset - bits)) >> (8 * sizeof(witness_of<T>) - bits)) : (witness_of<T>)0; }, x); }
template <class A, class B> A ldexp(A x, B k) { return witness_each<A>([](witness_of<A> v, int n) -> witness_of<A> { return (witness_of<A>)(float)__builtin_ldexp((double)v, n); }, x, k); }
template <class A> witness_vec_like<A, int> ilogb(A x) { return witness_each<witness_vec_like<A, int>>([](witness_of<A> v) -> int { return __builtin_ilogbf(v); }, x); }
template <class A> A modf(A x, A &whole) { whole = trunc(x); return copysign((A)(isinf(x) ? (A)0 : (A)(x - whole)), x); }
template <class A> A frexp(A x, int &n) { return (A)(float)__builtin_frexp((double)x, &n); }
template <class A> A sincos(A x, A &c) { c = cos(x); return sin(x); }
template <class T> T normalize(T a) { return (T)(a * rsqrt(dot(a, a))); }
template <class T> T insert_bits(T base, T more, uint offset, uint bits) {
	typedef witness_unsigned<witness_of<T>> U;
	return witness_each<T>([=](witness_of<T> x, witness_of<T> y) -> witness_of<T> { U mask = bits ? (U)((U)(~(U)0 >> (8 * sizeof(U) - bits)) << offset) : (U)0; return (witness_of<T>)(((U)x & ~mask) | (((U)y << offset) & mask)); }, base, more);
}

#define USING(name) using metal::name;
#define FUNCTIONS USING(abs) USING(acos) USING(acosh) USING(addsat) USING(asin) USING(asinh) USING(atan) USING(atan2) USING(atanh) USING(ceil) USING(clamp) USING(clz) USING(copysign) USING(cos) USING(cosh) USING(cospi) USING(cross) USING(ctz) USING(distance) USING(divide) USING(dot) USING(exp) USING(exp10) USING(exp2) USING(fabs) USING(fdim) USING(floor) USING(fma) USING(fmax) USING(fmax3) USING(fmedian3) USING(fmin) USING(fmin3) USING(fmod) USING(fract) USING(frexp) USING(hadd) USING(ilogb) USING(isfinite) USING(isinf) USING(isnan) USING(ldexp) USING(length) USING(log) USING(log10) USING(log2) USING(mad24) USING(madhi) USING(madsat) USING(max) USING(max3) USING(median3) USING(min) USING(min3) USING(mix) USING(modf) USING(mul24) USING(mulhi) USING(nextafter) USING(normalize) USING(popcount) USING(pow) USING(powr) USING(reverse_bits) USING(rhadd) USING(rint) USING(rotate) USING(round) USING(rsqrt) USING(saturate) USING(select) USING(sign) USING(signbit) USING(sin) USING(sincos) USING(sinh) USING(sinpi) USING(smoothstep) USING(sqrt) USING(step) USING(subsat) USING(tan) USING(tanh) USING(tanpi) USING(trunc)
namespace precise { FUNCTIONS }
namespace fast { FUNCTIONS }
#undef FUNCTIONS
#undef USING
}
