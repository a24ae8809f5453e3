// What Metal has and C++ has not, for clang: vectors, the functions of the library that
// the programs use, simdgroups, barriers and atomics over the fibres of runtime.cc.
// Address spaces are erased before.
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

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
#define VECTORS(T) typedef vec<T, 2> T##2; typedef vec<T, 3> T##3; typedef vec<T, 4> T##4;
VECTORS(char) VECTORS(uchar) VECTORS(short) VECTORS(ushort) VECTORS(int) VECTORS(uint)
VECTORS(long) VECTORS(ulong) VECTORS(half) VECTORS(float)
#undef VECTORS

// Packed vectors: elements in memory, vectors in expressions.
template <class T, int N> struct parts;
template <class T> struct parts<T, 2> { union { T data[2]; struct { T x, y; }; struct { T r, g; }; }; };
template <class T> struct parts<T, 3> { union { T data[3]; struct { T x, y, z; }; struct { T r, g, b; }; }; };
template <class T> struct parts<T, 4> { union { T data[4]; struct { T x, y, z, w; }; struct { T r, g, b, a; }; }; };
template <class T, int N> struct packed_vec : parts<T, N> {
	packed_vec() = default;
	packed_vec(vec<T, N> v) { for (int i = 0; i < N; i++) this->data[i] = v[i]; }
	packed_vec(T v) { for (int i = 0; i < N; i++) this->data[i] = v; }
	template <class A, class B, class... C> packed_vec(A a, B b, C... c);
	operator vec<T, N>() const { vec<T, N> v; for (int i = 0; i < N; i++) v[i] = this->data[i]; return v; }
	T &operator[](int i) { return this->data[i]; }
	T operator[](int i) const { return this->data[i]; }
};
#define OPERATOR(op) \
	template <class T, int N> vec<T, N> operator op(packed_vec<T, N> a, packed_vec<T, N> b) { return (vec<T, N>)a op (vec<T, N>)b; } \
	template <class T, int N> vec<T, N> operator op(packed_vec<T, N> a, vec<T, N> b) { return (vec<T, N>)a op b; } \
	template <class T, int N> vec<T, N> operator op(vec<T, N> a, packed_vec<T, N> b) { return a op (vec<T, N>)b; } \
	template <class T, int N> vec<T, N> operator op(packed_vec<T, N> a, T b) { return (vec<T, N>)a op b; } \
	template <class T, int N> vec<T, N> operator op(T a, packed_vec<T, N> b) { return a op (vec<T, N>)b; } \
	template <class T, int N, class U> packed_vec<T, N> &operator op##=(packed_vec<T, N> &a, U b) { return a = packed_vec<T, N>(a op b); }
OPERATOR(+) OPERATOR(-) OPERATOR(*) OPERATOR(/)
#undef OPERATOR
#define VECTORS(T) typedef packed_vec<T, 2> packed_##T##2; typedef packed_vec<T, 3> packed_##T##3; typedef packed_vec<T, 4> packed_##T##4;
VECTORS(char) VECTORS(uchar) VECTORS(short) VECTORS(ushort) VECTORS(int) VECTORS(uint)
VECTORS(long) VECTORS(ulong) VECTORS(half) VECTORS(float)
#undef VECTORS

#define INFINITY __builtin_inff()
#define HUGE_VALF __builtin_inff()
#define NAN __builtin_nanf("")
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1p-126f
#define FLT_EPSILON 0x1p-23f
#define MAXFLOAT 0x1.fffffep127f
#define M_PI_F 3.14159265358979323846264338327950288f

// The fibres.
struct Slot { char bytes[64]; };
extern "C" {
void witness_barrier();
uint witness_simd(const void *mine, uint size, Slot **slots); // the lanes that take part
uint witness_lane();
const void *witness_argument(uint i);
}

// bfloat computes in float and rounds to nearest, ties to even.
struct bfloat {
	ushort bits;
	bfloat() = default;
	bfloat(float x) {
		uint u;
		__builtin_memcpy(&u, &x, 4);
		bits = x != x ? (ushort)(u >> 16 | 64) : (ushort)((u + 0x7fff + (u >> 16 & 1)) >> 16);
	}
	template <class T> explicit bfloat(T x) : bfloat((float)x) {}
	operator float() const { uint u = (uint)bits << 16; float x; __builtin_memcpy(&x, &u, 4); return x; }
	bfloat &operator+=(float x) { return *this = bfloat((float)*this + x); }
	bfloat &operator-=(float x) { return *this = bfloat((float)*this - x); }
	bfloat &operator*=(float x) { return *this = bfloat((float)*this * x); }
	bfloat &operator/=(float x) { return *this = bfloat((float)*this / x); }
};
inline bfloat operator+(bfloat a, bfloat b) { return (float)a + (float)b; }
inline bfloat operator-(bfloat a, bfloat b) { return (float)a - (float)b; }
inline bfloat operator*(bfloat a, bfloat b) { return (float)a * (float)b; }
inline bfloat operator/(bfloat a, bfloat b) { return (float)a / (float)b; }
inline bfloat operator-(bfloat a) { bfloat r = a; r.bits ^= 0x8000; return r; }

namespace metal {
using ::vec;
using ::packed_vec;
using ::bfloat;
using ::half;
using ::uchar;
using ::ushort;
using ::uint;
using ::ulong;
#define VECTOR(T) using ::T; using ::packed_##T;
#define VECTORS(T) VECTOR(T##2) VECTOR(T##3) VECTOR(T##4)
VECTORS(char) VECTORS(uchar) VECTORS(short) VECTORS(ushort) VECTORS(int) VECTORS(uint)
VECTORS(long) VECTORS(ulong) VECTORS(half) VECTORS(float)
#undef VECTORS
#undef VECTOR
#define MATRIX(T, c, r) struct T##c##x##r { T##r columns[c]; };
#define MATRICES(T, c) MATRIX(T, c, 2) MATRIX(T, c, 3) MATRIX(T, c, 4)
MATRICES(half, 2) MATRICES(half, 3) MATRICES(half, 4) MATRICES(float, 2) MATRICES(float, 3) MATRICES(float, 4)
#undef MATRICES
#undef MATRIX

// Elements.
template <class T> struct elements { typedef T type; enum { count = 1, vector = 0 }; };
template <class T, int N> struct elements<vec<T, N>> { typedef T type; enum { count = N, vector = 1 }; };
template <class T, int N> struct elements<packed_vec<T, N>> { typedef T type; enum { count = N, vector = 1 }; };
template <class T> struct elements<const T> : elements<T> {};
template <bool B, class T = void> struct only {};
template <class T> struct only<true, T> { typedef T type; };
template <class A, class B> struct same { enum { value = 0 }; };
template <class A> struct same<A, A> { enum { value = 1 }; };
template <class A, class B, int = elements<A>::vector * 2 + elements<B>::vector> struct common { typedef decltype(A() + B()) type; };
template <class A> struct common<A, A, 0> { typedef A type; };
template <class A> struct common<A, A, 3> { typedef A type; };
template <class A, class B> struct common<A, B, 2> { typedef A type; };
template <class A, class B> struct common<A, B, 1> { typedef B type; };

template <class T> constexpr T element(T x, int) { return x; }
template <class T, int N> T element(vec<T, N> v, int i) { return v[i]; }
template <class T, int N> T element(packed_vec<T, N> v, int i) { return v[i]; }

// Construction and conversion: element by element, a scalar fills a vector.
template <class T, int Vector = elements<T>::vector> struct made {
	template <class... A> static constexpr T of(A... a) { return T(a...); }
};
template <class T> struct made<T, 1> {
	typedef typename elements<T>::type E;
	enum { N = elements<T>::count };
	static T of() { return (T)(E)0; }
	template <class A> static typename only<!elements<A>::vector, T>::type of(A a) { return (T)(E)a; }
	template <class A> static typename only<elements<A>::vector, T>::type of(A a) {
		static_assert((int)elements<A>::count == (int)N, "as many elements");
		T r;
		for (int i = 0; i < N; i++) r[i] = (E)a[i];
		return r;
	}
	template <class A, class B, class... C> static T of(A a, B b, C... c) {
		T r = (T)(E)0;
		int n = 0;
		fill(r, n, a, b, c...);
		return r;
	}
	static void fill(T &, int &) {}
	template <class A, class... C> static void fill(T &r, int &n, A a, C... c) {
		for (int i = 0; i < elements<A>::count; i++) r[n++] = (E)element(a, i);
		fill(r, n, c...);
	}
};
template <class T, int N> struct made<packed_vec<T, N>, 1> {
	template <class... A> static packed_vec<T, N> of(A... a) { return made<vec<T, N>>::of(a...); }
};
template <class T, class... A> constexpr T witness_make(A... a) { return made<T>::of(a...); }
template <class T, class A> T witness_bits(A a) {
	static_assert(sizeof(T) == sizeof(A), "as_type keeps the size");
	T r;
	__builtin_memcpy(&r, &a, sizeof r);
	return r;
}

// Functions by element.
template <class R, class F, class... A> R each(F f, A... a) {
	if constexpr (elements<R>::vector) {
		R r;
		for (int i = 0; i < elements<R>::count; i++) r[i] = f(element(a, i)...);
		return r;
	} else
		return f(a...);
}
template <class T> using of = typename elements<T>::type;
template <class T> struct unsigned_of { typedef ulong type; };
template <> struct unsigned_of<char> { typedef uchar type; };
template <> struct unsigned_of<uchar> { typedef uchar type; };
template <> struct unsigned_of<short> { typedef ushort type; };
template <> struct unsigned_of<ushort> { typedef ushort type; };
template <> struct unsigned_of<int> { typedef uint type; };
template <> struct unsigned_of<uint> { typedef uint type; };
template <class T> using witness_unsigned = typename unsigned_of<T>::type;
template <class T, class U, int = elements<T>::vector> struct like { typedef U type; };
template <class T, class U> struct like<T, U, 1> { typedef vec<U, elements<T>::count> type; };
template <class T, class U> using vec_like = typename like<T, U>::type;
template <class T> T witness_saturated(__int128 x) {
	bool sign = (T)-1 < (T)0;
	__int128 high = ((__int128)1 << (8 * sizeof(T) - sign)) - 1, low = sign ? -high - 1 : 0;
	return (T)(x > high ? high : x < low ? low : x);
}
template <class E> E witness_smooth(E t) { return (E)((E)(t * t) * (E)((E)3 - (E)((E)2 * t))); }
#define UNARY(name, expression) \
	template <class A> A name(A a) { typedef of<A> E; return each<A>([](E x) -> E { return expression; }, a); }
#define BINARY(name, expression) \
	template <class A, class B> typename common<A, B>::type name(A a, B b) { \
		typedef typename common<A, B>::type R; typedef of<R> E; \
		return each<R>([](E x, E y) -> E { return expression; }, a, b); }
#define TERNARY(name, expression) \
	template <class A, class B, class C> typename common<typename common<A, B>::type, C>::type name(A a, B b, C c) { \
		typedef typename common<typename common<A, B>::type, C>::type R; typedef of<R> E; \
		return each<R>([](E x, E y, E z) -> E { return expression; }, a, b, c); }
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
template <class T> vec_like<T, witness_unsigned<of<T>>> absdiff(T a, T b) { typedef witness_unsigned<of<T>> U; return each<vec_like<T, U>>([](of<T> x, of<T> y) -> U { return x > y ? (U)x - (U)y : (U)y - (U)x; }, a, b); }
BINARY(rotate, (E)(((witness_unsigned<E>)x << ((uint)y % (8 * sizeof(E)))) | (((uint)y % (8 * sizeof(E))) ? (witness_unsigned<E>)x >> (8 * sizeof(E) - (uint)y % (8 * sizeof(E))) : 0)))
BINARY(addsat, (E)witness_saturated<E>((__int128)x + y))
BINARY(subsat, (E)witness_saturated<E>((__int128)x - y))
TERNARY(min3, min(min(x, y), z))
TERNARY(max3, max(max(x, y), z))
TERNARY(median3, max(min(x, y), min(max(x, y), z)))
TERNARY(mad24, (E)(x * y + z))
BINARY(mul24, (E)(x * y))
TERNARY(smoothstep, witness_smooth(min(max((E)((E)(z - x) / (E)(y - x)), (E)0), (E)1)))
#undef UNARY
#undef BINARY
#undef TERNARY
template <class T> bool isnan(T x) { return x != x; }
template <class T> bool isinf(T x) { return x == x && x - x != x - x; }
template <class T> bool isfinite(T x) { return x - x == x - x; }
template <class T> bool signbit(T x) { return __builtin_signbit((float)x); }
template <class T> typename only<!elements<T>::vector, T>::type select(T a, T b, bool c) { return c ? b : a; }
template <class T, class C> typename only<elements<T>::vector, T>::type select(T a, T b, C c) {
	T r;
	for (int i = 0; i < elements<T>::count; i++) r[i] = element(c, i) ? b[i] : a[i];
	return r;
}
template <class T> bool all(T v) { for (int i = 0; i < elements<T>::count; i++) if (!element(v, i)) return false; return true; }
template <class T> bool any(T v) { for (int i = 0; i < elements<T>::count; i++) if (element(v, i)) return true; return false; }
template <class T> of<T> dot(T a, T b) { of<T> s = (of<T>)(a[0] * b[0]); for (int i = 1; i < elements<T>::count; i++) s = (of<T>)(s + (of<T>)(a[i] * b[i])); return s; }
template <class T> of<T> length_squared(T a) { return dot(a, a); }
template <class T> of<T> length(T a) { return sqrt(dot(a, a)); }
template <class T> of<T> distance(T a, T b) { return length((T)(a - b)); }
template <class T> of<T> distance_squared(T a, T b) { return dot((T)(a - b), (T)(a - b)); }
template <class T> T cross(T a, T b) { return (T)(a.yzx * b.zxy - a.zxy * b.yzx); }
template <class T> T extract_bits(T x, uint offset, uint bits) { return each<T>([=](of<T> v) -> of<T> { return bits ? (of<T>)((of<T>)((witness_unsigned<of<T>>)v << (8 * sizeof(of<T>) - offset - bits)) >> (8 * sizeof(of<T>) - bits)) : (of<T>)0; }, x); }
namespace precise { using namespace metal; }
namespace fast { using namespace metal; }

// Traits.
template <class T, T V> struct integral_constant { static constexpr T value = V; typedef T value_type; constexpr operator T() const { return V; } };
template <bool B> using bool_constant = integral_constant<bool, B>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <class A, class B> struct is_same : bool_constant<same<A, B>::value> {};
template <class A, class B> constexpr bool is_same_v = same<A, B>::value;
template <class...> using void_t = void;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class X, class Y> struct conditional { typedef X type; };
template <class X, class Y> struct conditional<false, X, Y> { typedef Y type; };
template <bool B, class X, class Y> using conditional_t = typename conditional<B, X, Y>::type;
template <class T> struct is_floating_point : bool_constant<same<T, float>::value || same<T, half>::value> {};
template <class T> constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> struct is_integral : bool_constant<__is_integral(T)> {};
template <class T> constexpr bool is_integral_v = is_integral<T>::value;
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };

// Threads.
enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
constexpr mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags((int)a | (int)b); }
inline void threadgroup_barrier(mem_flags) { witness_barrier(); }
inline void simdgroup_barrier(mem_flags) { Slot *slots; witness_simd(&slots, 0, &slots); }
template <class T> struct lanes {
	Slot *slots;
	uint active;
	lanes(T x) { active = witness_simd(&x, sizeof x, &slots); }
	bool has(uint i) const { return active >> i & 1; }
	T operator[](uint i) const { T x; __builtin_memcpy(&x, slots[i].bytes, sizeof x); return x; }
};
#define REDUCE(name, expression) \
	template <class T> T name(T x) { lanes<T> all(x); bool first = true; T a = x; \
		for (uint i = 0; i < 32; i++) if (all.has(i)) { T b = all[i]; a = first ? b : (T)(expression); first = false; } return a; }
REDUCE(simd_max, max(a, b))
REDUCE(simd_min, min(a, b))
REDUCE(simd_and, a & b)
REDUCE(simd_or, a | b)
REDUCE(simd_xor, a ^ b)
#undef REDUCE
template <class T> T witness_total(T x, bool product) { // in pairs of lanes, 16 apart first, as the reference adds
	lanes<T> all(x);
	T v[32];
	for (uint i = 0; i < 32; i++) v[i] = all.has(i) ? all[i] : (T)(product ? 1 : 0);
	T sum = v[0];
	for (uint i = 1; i < 32; i++) sum = product ? (T)(sum * v[i]) : (T)(sum + v[i]);
	return sum;
}
template <class T> T simd_sum(T x) { return witness_total(x, false); }
template <class T> T simd_product(T x) { return witness_total(x, true); }
template <class T> T simd_prefix_exclusive_sum(T x) { lanes<T> all(x); T s = (T)0; for (uint i = 0; i < witness_lane(); i++) if (all.has(i)) s = (T)(s + all[i]); return s; }
template <class T> T simd_prefix_inclusive_sum(T x) { return (T)(simd_prefix_exclusive_sum(x) + x); }
template <class T> T simd_broadcast(T x, ushort i) { lanes<T> all(x); return all[i]; }
template <class T> T simd_broadcast_first(T x) { lanes<T> all(x); return all[__builtin_ctz(all.active)]; }
template <class T> T simd_shuffle(T x, ushort i) { lanes<T> all(x); return all[i & 31]; }
template <class T> T simd_shuffle_xor(T x, ushort m) { lanes<T> all(x); return all[(witness_lane() ^ m) & 31]; }
template <class T> T simd_shuffle_down(T x, ushort d) { lanes<T> all(x); uint i = witness_lane() + d; return i < 32 ? all[i] : x; }
template <class T> T simd_shuffle_up(T x, ushort d) { lanes<T> all(x); uint i = witness_lane() - d; return i < 32 ? all[i] : x; }
inline bool simd_all(bool x) { lanes<bool> all(x); for (uint i = 0; i < 32; i++) if (all.has(i) && !all[i]) return false; return true; }
inline bool simd_any(bool x) { lanes<bool> all(x); for (uint i = 0; i < 32; i++) if (all.has(i) && all[i]) return true; return false; }
inline bool simd_is_first() { lanes<bool> all(true); return (uint)__builtin_ctz(all.active) == witness_lane(); }

// Quads are simdgroups of four lanes.
template <class T> T quad_broadcast(T x, ushort i) { lanes<T> all(x); return all[(witness_lane() & 28) | (i & 3)]; }
template <class T> T quad_shuffle(T x, ushort i) { return quad_broadcast(x, i); }
template <class T> T quad_shuffle_xor(T x, ushort m) { return quad_broadcast(x, (witness_lane() & 3) ^ m); }
template <class T> T quad_shuffle_up(T x, ushort d) { lanes<T> all(x); uint i = witness_lane() & 3; return i < d ? x : all[witness_lane() - d]; }
template <class T> T quad_shuffle_down(T x, ushort d) { lanes<T> all(x); uint i = witness_lane() & 3; return i + d > 3 ? x : all[witness_lane() + d]; }

// Each lane holds a whole matrix, and the first one stores it.
template <class T, int C, int R> struct simdgroup_matrix {
	T at[R][C];
	simdgroup_matrix() = default;
	explicit simdgroup_matrix(T diagonal) { for (int r = 0; r < R; r++) for (int c = 0; c < C; c++) at[r][c] = r == c ? diagonal : (T)0; }
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;
template <class T, int C, int R, class U> simdgroup_matrix<T, C, R> make_filled_simdgroup_matrix(U x) {
	simdgroup_matrix<T, C, R> m;
	for (int r = 0; r < R; r++) for (int c = 0; c < C; c++) m.at[r][c] = (T)x;
	return m;
}
template <class T> void simdgroup_load(simdgroup_matrix<T, 8, 8> &m, const T *p, ulong stride = 8, vec<ulong, 2> origin = 0, bool transposed = false) {
	simdgroup_barrier(mem_flags::mem_none);
	for (int r = 0; r < 8; r++) for (int c = 0; c < 8; c++) m.at[r][c] = transposed ? p[(c + origin.y) * stride + r + origin.x] : p[(r + origin.y) * stride + c + origin.x];
}
template <class T> void simdgroup_store(simdgroup_matrix<T, 8, 8> m, T *p, ulong stride = 8, vec<ulong, 2> origin = 0, bool transposed = false) {
	if (simd_is_first())
		for (int r = 0; r < 8; r++) for (int c = 0; c < 8; c++) p[transposed ? (c + origin.y) * stride + r + origin.x : (r + origin.y) * stride + c + origin.x] = m.at[r][c];
	simdgroup_barrier(mem_flags::mem_none);
}
template <class D, class A, class B, class C> void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8> &d, const simdgroup_matrix<A, 8, 8> &a, const simdgroup_matrix<B, 8, 8> &b, const simdgroup_matrix<C, 8, 8> &c) {
	simdgroup_matrix<D, 8, 8> m;
	for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) {
		float s = (float)c.at[i][j];
		for (int k = 0; k < 8; k++) s += (float)a.at[i][k] * (float)b.at[k][j];
		m.at[i][j] = (D)s;
	}
	d = m;
}
template <class D, class A, class B> void simdgroup_multiply(simdgroup_matrix<D, 8, 8> &d, const simdgroup_matrix<A, 8, 8> &a, const simdgroup_matrix<B, 8, 8> &b) {
	simdgroup_multiply_accumulate(d, a, b, simdgroup_matrix<float, 8, 8>((float)0));
}

// Atomics: fibres take turns at rendezvous only.
enum memory_order { memory_order_relaxed };
template <class T> struct atomic { T value; };
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<float> atomic_float;
#define ATOMIC(name, expression) \
	template <class T, class U> T atomic_##name##_explicit(volatile atomic<T> *p, U u, memory_order) { T a = p->value, b = (T)u; p->value = expression; return a; }
ATOMIC(exchange, b)
ATOMIC(fetch_add, a + b)
ATOMIC(fetch_sub, a - b)
ATOMIC(fetch_and, a & b)
ATOMIC(fetch_or, a | b)
ATOMIC(fetch_xor, a ^ b)
ATOMIC(fetch_max, a > b ? a : b)
ATOMIC(fetch_min, a < b ? a : b)
#undef ATOMIC
template <class T> T atomic_load_explicit(const volatile atomic<T> *p, memory_order) { return p->value; }
template <class T, class U> void atomic_store_explicit(volatile atomic<T> *p, U x, memory_order) { p->value = (T)x; }
}

// The arguments of an entry point.
template <class A> struct witness_get {
	static A at(uint i) {
		typedef typename metal::elements<A>::type E;
		const uint *v = (const uint *)witness_argument(i);
		A a;
		if constexpr (metal::elements<A>::vector)
			for (int k = 0; k < metal::elements<A>::count; k++) a[k] = (E)v[k];
		else
			a = (A)v[0];
		return a;
	}
};
template <class A> struct witness_get<const A> : witness_get<A> {};
template <class A> struct witness_get<A *> { static A *at(uint i) { return (A *)witness_argument(i); } };
template <class A> struct witness_get<A &> { static A &at(uint i) { return *(A *)witness_argument(i); } };
template <uint... I> struct witness_indices {};
template <class... A, uint... I> void witness_call(void (*f)(A...), witness_indices<I...>) { f(witness_get<A>::at(I)...); }
template <class T, T... I> struct witness_sequence { typedef witness_indices<I...> type; };
template <class... A> void witness_enter(void (*f)(A...)) { witness_call(f, typename __make_integer_seq<witness_sequence, uint, sizeof...(A)>::type()); }
