// What the headers of the library are made of, and programs call too.
#pragma once
#include "simdgroup.h"

#define UNARY(name) template <class T> T __metal_##name(T x, bool = false) { return metal::name(x); }
#define BINARY(name) template <class T> T __metal_##name(T x, T y, bool = false) { return metal::name(x, y); }
#define TERNARY(name) template <class T> T __metal_##name(T x, T y, T z, bool = false) { return metal::name(x, y, z); }
UNARY(acos) UNARY(acosh) UNARY(asin) UNARY(asinh) UNARY(atan) UNARY(atanh) UNARY(ceil) UNARY(cos) UNARY(cosh) UNARY(cospi) UNARY(exp) UNARY(exp10) UNARY(exp2) UNARY(fabs) UNARY(floor) UNARY(fract) UNARY(log) UNARY(log10) UNARY(log2) UNARY(rint) UNARY(round) UNARY(rsqrt) UNARY(sin) UNARY(sinh) UNARY(sinpi) UNARY(sqrt) UNARY(tan) UNARY(tanh) UNARY(tanpi) UNARY(trunc)
BINARY(atan2) BINARY(divide) BINARY(fdim) BINARY(fmax) BINARY(fmin) BINARY(fmod) BINARY(nextafter) BINARY(pow) BINARY(powr) BINARY(copysign)
TERNARY(fma) TERNARY(fmax3) TERNARY(fmin3) TERNARY(fmedian3)
#undef UNARY
#undef BINARY
#undef TERNARY
template <class T> T __metal_ldexp(T x, int k, bool = false) { return metal::ldexp(x, k); }
template <class T> T __metal_frexp(T x, int *n) { return metal::frexp(x, *n); }
inline uint __metal_get_thread_index_in_simdgroup(uint) { return witness_lane(); }
inline ushort __metal_get_thread_index_in_simdgroup(ushort) { return witness_lane(); }
inline uint __metal_get_simdgroup_index_in_threadgroup(uint) { return witness_simdgroup(); }
inline ushort __metal_get_simdgroup_index_in_threadgroup(ushort) { return witness_simdgroup(); }
inline uint __metal_get_simdgroup_size(uint) { return 32; }
inline ushort __metal_get_simdgroup_size(ushort) { return 32; }

#define REDUCE(name) template <class T> T __metal_simd_##name(T x, HERE) { return metal::simd_##name(x, site); }
#define MOVE(name) template <class T> T __metal_simd_##name(T x, ushort n, HERE) { return metal::simd_##name(x, n, site); }
REDUCE(sum) REDUCE(product) REDUCE(max) REDUCE(min) REDUCE(and) REDUCE(or) REDUCE(xor) REDUCE(broadcast_first)
REDUCE(prefix_exclusive_sum) REDUCE(prefix_inclusive_sum) REDUCE(prefix_exclusive_product) REDUCE(prefix_inclusive_product)
MOVE(broadcast) MOVE(shuffle) MOVE(shuffle_xor) MOVE(shuffle_up) MOVE(shuffle_down) MOVE(shuffle_rotate_up) MOVE(shuffle_rotate_down)
#undef REDUCE
#undef MOVE
template <class T> T __metal_simd_shuffle_and_fill_down(T x, T fill, ushort n, ushort width, HERE) { return metal::simd_shuffle_and_fill_down(x, fill, n, width, site); }
template <class T> T __metal_simd_shuffle_and_fill_up(T x, T fill, ushort n, ushort width, HERE) { return metal::simd_shuffle_and_fill_up(x, fill, n, width, site); }
