// Vectors. The translation makes calls of witness_swizzle of swizzles.
#pragma once
#include "scalar.h"

template <class T, int N> struct vec;
template <class T, int N> struct packed_vec;

// Elements.
template <class T> struct witness_elements { typedef T type; enum { count = 1, vector = 0 }; };
template <class T, int N> struct witness_elements<vec<T, N>> { typedef T type; enum { count = N, vector = 1 }; };
template <class T, int N> struct witness_elements<packed_vec<T, N>> { typedef T type; enum { count = N, vector = 1 }; };
template <class T> struct witness_elements<const T> : witness_elements<T> {};
template <class T> struct witness_elements<volatile T> : witness_elements<T> {};
template <class T> using witness_of = typename witness_elements<T>::type;
template <class T> constexpr T witness_element(T x, int) { return x; }
template <class T, int N> constexpr T witness_element(const vec<T, N> &v, int i) { return v.data[i]; }
template <class T, int N> constexpr T witness_element(const packed_vec<T, N> &v, int i) { return v.data[i]; }

// The element i of a list of scalars and vectors.
template <class T, class A, class... R> constexpr T witness_pick(int i, const A &a, const R &...rest) {
	if (i < (int)witness_elements<A>::count) return (T)witness_element(a, i);
	if constexpr (sizeof...(R) > 0) return witness_pick<T>(i - witness_elements<A>::count, rest...);
	return T();
}
template <int... I> struct witness_places {};
template <class T, T... I> struct witness_list { typedef witness_places<I...> type; };
template <int N> using witness_first = typename __make_integer_seq<witness_list, int, N>::type;

template <class T, int N> struct witness_parts { T data[N]; };
template <class T> struct witness_parts<T, 2> { union { T data[2]; struct { T x, y; }; struct { T r, g; }; }; };
template <class T> struct witness_parts<T, 3> { union { T data[3]; struct { T x, y, z; }; struct { T r, g, b; }; }; };
template <class T> struct witness_parts<T, 4> { union { T data[4]; struct { T x, y, z, w; }; struct { T r, g, b, a; }; }; };

#define BOTH(op, R) friend constexpr vec<R, N> operator op(const vec &a, const vec &b) { vec<R, N> r{}; for (int i = 0; i < N; i++) r.data[i] = (R)(a.data[i] op b.data[i]); return r; }
#define CHANGE(op) BOTH(op, T) friend vec &operator op##=(vec &a, const vec &b) { return a = a op b; }
template <class T, int N> struct alignas((N == 3 ? 4 : N) * sizeof(T)) vec : witness_parts<T, N> {
	vec() = default;
	template <class A, class = typename witness_only<witness_is_number<A>>::type> constexpr vec(A x) : vec(0, witness_first<N>(), x) {}
	template <class U, class = typename witness_only<!__is_same(T, U)>::type> explicit constexpr vec(const vec<U, N> &v) : vec(witness_first<N>(), v) {}
	template <class U> explicit constexpr vec(const packed_vec<U, N> &v) : vec(witness_first<N>(), v) {}
	template <class A, class B, class... C, class = typename witness_only<!__is_same(A, witness_first<N>)>::type> constexpr vec(const A &a, const B &b, const C &...c) : vec(witness_first<N>(), a, b, c...) {
		static_assert(witness_elements<A>::count + witness_elements<B>::count + (0 + ... + witness_elements<C>::count) <= N, "no more elements");
	}
	T &operator[](int i) { return this->data[i]; }
	constexpr T operator[](int i) const { return this->data[i]; }
	CHANGE(+) CHANGE(-) CHANGE(*) CHANGE(/) CHANGE(%) CHANGE(&) CHANGE(|) CHANGE(^) CHANGE(<<) CHANGE(>>)
	BOTH(==, bool) BOTH(!=, bool) BOTH(<, bool) BOTH(>, bool) BOTH(<=, bool) BOTH(>=, bool) BOTH(&&, bool) BOTH(||, bool)
	vec<T, N> operator+() const { return *this; }
	vec<T, N> operator-() const { vec r; for (int i = 0; i < N; i++) r.data[i] = (T)-this->data[i]; return r; }
	vec<T, N> operator~() const { vec r; for (int i = 0; i < N; i++) r.data[i] = (T)~this->data[i]; return r; }
	vec<bool, N> operator!() const { vec<bool, N> r; for (int i = 0; i < N; i++) r.data[i] = !this->data[i]; return r; }
	vec &operator++() { return *this += (T)1; }
	vec &operator--() { return *this -= (T)1; }
	vec operator++(int) { vec r = *this; ++*this; return r; }
	vec operator--(int) { vec r = *this; --*this; return r; }

private:
	template <int... I, class... A> constexpr vec(witness_places<I...>, const A &...a) : witness_parts<T, N>{{witness_pick<T>(I, a...)...}} {}
	template <int... I, class A> constexpr vec(int, witness_places<I...>, A x) : witness_parts<T, N>{{((void)I, (T)x)...}} {}
	template <class, int> friend struct vec;
};
#undef BOTH
#undef CHANGE

// Packed vectors: elements in memory, vectors in expressions.
template <class T, int N> struct packed_vec : witness_parts<T, N> {
	packed_vec() = default;
	packed_vec(const vec<T, N> &v) { for (int i = 0; i < N; i++) this->data[i] = v.data[i]; }
	template <class A, class = typename witness_only<witness_is_number<A>>::type> packed_vec(A x) : packed_vec(vec<T, N>(x)) {}
	template <class U> explicit packed_vec(const vec<U, N> &v) : packed_vec(vec<T, N>(v)) {}
	template <class U, class = typename witness_only<!__is_same(T, U)>::type> explicit packed_vec(const packed_vec<U, N> &v) : packed_vec(vec<T, N>(v)) {}
	template <class A, class B, class... C> packed_vec(const A &a, const B &b, const C &...c) : packed_vec(vec<T, N>(a, b, c...)) {}
	operator vec<T, N>() const { return vec<T, N>(*this); }
	T &operator[](int i) { return this->data[i]; }
	constexpr T operator[](int i) const { return this->data[i]; }
	vec<T, N> operator-() const { return -vec<T, N>(*this); }
	vec<T, N> operator~() const { return ~vec<T, N>(*this); }
	vec<bool, N> operator!() const { return !vec<T, N>(*this); }
	packed_vec &operator++() { return *this = *this + (T)1; }
	packed_vec &operator--() { return *this = *this - (T)1; }
};
#define OPERATOR(op) \
	template <class T, int N> auto operator op(const packed_vec<T, N> &a, const packed_vec<T, N> &b) { return vec<T, N>(a) op vec<T, N>(b); } \
	template <class T, int N, class B, class = typename witness_only<witness_is_number<B>>::type> auto operator op(const packed_vec<T, N> &a, B b) { return vec<T, N>(a) op vec<T, N>(b); } \
	template <class T, int N, class A, class = typename witness_only<witness_is_number<A>>::type> auto operator op(A a, const packed_vec<T, N> &b) { return vec<T, N>(a) op vec<T, N>(b); } \
	template <class T, int N> auto operator op(const vec<T, N> &a, const packed_vec<T, N> &b) { return a op vec<T, N>(b); } \
	template <class T, int N> auto operator op(const packed_vec<T, N> &a, const vec<T, N> &b) { return vec<T, N>(a) op b; }
#define CHANGE(op) OPERATOR(op) template <class T, int N, class U> packed_vec<T, N> &operator op##=(packed_vec<T, N> &a, const U &b) { return a = packed_vec<T, N>(a op b); }
CHANGE(+) CHANGE(-) CHANGE(*) CHANGE(/) CHANGE(%) CHANGE(&) CHANGE(|) CHANGE(^) CHANGE(<<) CHANGE(>>)
OPERATOR(==) OPERATOR(!=) OPERATOR(<) OPERATOR(>) OPERATOR(<=) OPERATOR(>=)
#undef CHANGE
#undef OPERATOR

#define VECTORS(T) typedef vec<T, 2> T##2; typedef vec<T, 3> T##3; typedef vec<T, 4> T##4;
#define PACKED(T) typedef packed_vec<T, 2> packed_##T##2; typedef packed_vec<T, 3> packed_##T##3; typedef packed_vec<T, 4> packed_##T##4;
#define BOTH(T) VECTORS(T) PACKED(T)
BOTH(char) BOTH(uchar) BOTH(short) BOTH(ushort) BOTH(int) BOTH(uint) BOTH(long) BOTH(ulong) BOTH(half) BOTH(bfloat) BOTH(float) VECTORS(bool)
#undef BOTH

// Swizzles: a value, and what one assigns to.
template <int... I, class V> constexpr vec<witness_of<V>, sizeof...(I)> witness_swizzle(const V &v) { return {(witness_of<V>)v[I]...}; }
template <class V, int... I> struct witness_swizzled {
	V &of;
	typedef vec<witness_of<V>, sizeof...(I)> value;
	operator value() const { return {of.data[I]...}; }
	witness_swizzled &operator=(const value &v) { int n = 0; ((of.data[I] = v.data[n++]), ...); return *this; }
	witness_swizzled &operator=(const witness_swizzled &v) { return *this = (value)v; }
	template <class W, int... J> witness_swizzled &operator=(const witness_swizzled<W, J...> &v) { return *this = (value)v; }
	value operator++() { return *this = (value)*this + value(1); }
	value operator--() { return *this = (value)*this - value(1); }
};
#define CHANGE(op) template <class V, int... I, class U> witness_swizzled<V, I...> operator op##=(witness_swizzled<V, I...> a, const U &b) { return a = (typename witness_swizzled<V, I...>::value)a op b; }
CHANGE(+) CHANGE(-) CHANGE(*) CHANGE(/) CHANGE(%) CHANGE(&) CHANGE(|) CHANGE(^) CHANGE(<<) CHANGE(>>)
#undef CHANGE
template <int... I, class V> witness_swizzled<V, I...> witness_place(V &v) { return {v}; }

// Bits of one type as another.
template <class T, class A> T witness_bits(const A &a) {
	static_assert(sizeof(T) == sizeof(A), "as_type keeps the size");
	T r;
	__builtin_memcpy((void *)&r, &a, sizeof r);
	return r;
}

namespace metal {
using ::vec;
using ::packed_vec;
using ::bfloat;
using ::half;
using ::uchar;
using ::ushort;
using ::uint;
using ::ulong;
using ::size_t;
using ::ptrdiff_t;
#define USING(T) using ::T;
#undef VECTORS
#undef PACKED
#define VECTORS(T) using ::T##2; using ::T##3; using ::T##4;
#define PACKED(T) using ::packed_##T##2; using ::packed_##T##3; using ::packed_##T##4;
#define BOTH(T) VECTORS(T) PACKED(T)
BOTH(char) BOTH(uchar) BOTH(short) BOTH(ushort) BOTH(int) BOTH(uint) BOTH(long) BOTH(ulong) BOTH(half) BOTH(bfloat) BOTH(float) VECTORS(bool)
#define STANDARD(T) using ::T;
STANDARD(int8_t) STANDARD(uint8_t) STANDARD(int16_t) STANDARD(uint16_t) STANDARD(int32_t) STANDARD(uint32_t) STANDARD(int64_t) STANDARD(uint64_t)
#undef STANDARD
#undef BOTH
#undef VECTORS
#undef PACKED
#undef USING
}
