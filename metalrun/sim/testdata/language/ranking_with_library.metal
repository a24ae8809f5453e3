// The program's functions and those of the library as candidates of one call.
#include <metal_stdlib>
using namespace metal;

float simd_max(float v) { return v * 10; }
// want float 25
kernel void own_function_beats_template(device float *out [[buffer(0)]]) { out[0] = simd_max(2.5f); }
// want int 7
kernel void other_types_stay_the_librarys(device int *out [[buffer(0)]]) { out[0] = simd_max(7); }
// want float 3
kernel void qualified_is_the_librarys(device float *out [[buffer(0)]]) { out[0] = metal::simd_max(3.0f); }

template <typename T, int N> vec<T, N> simd_sum(vec<T, N> v) { return v * T(2); }
// want float 2 4 5
kernel void more_special_template_wins(device float *out [[buffer(0)]]) { float2 v = simd_sum(float2(1, 2)); out[0] = v.x; out[1] = v.y; out[2] = simd_sum(5.0f); }

template <typename T> T max(T a, T b) { return a - b; }
// want float 4
kernel void library_function_beats_own_template(device float *out [[buffer(0)]]) { out[0] = max(4.0f, 1.0f); }

struct Big { int v; };
Big min(Big a, Big b) { return a.v < b.v ? a : b; }
int abs(Big a) { return a.v < 0 ? -a.v : a.v; }
// want int 2 9 3 4
kernel void own_types_beside_library(device int *out [[buffer(0)]]) { Big a = {2}, b = {-9}; out[0] = min(a, Big{5}).v; out[1] = abs(b); out[2] = min(3, 8); out[3] = abs(-4); }

float clamp(float x, int low, int high) { return x < low ? low : x > high ? high : x + 0.5f; }
// want float 2.5 1 2
kernel void exact_own_beats_converted_library(device float *out [[buffer(0)]]) { out[0] = clamp(2.0f, 0, 4); out[1] = clamp(0.5f, 1, 4); out[2] = clamp(2.0f, 0.0f, 4.0f); }

uint popcount(bool b) { return b ? 100 : 200; }
// want uint 100 3
kernel void own_bool_beside_integers(device uint *out [[buffer(0)]]) { out[0] = popcount(true); out[1] = popcount(7u); }

namespace mine { float sin(float x) { return x + 1; } float both(float x) { return sin(x); } float exp2(int x) { return x; } float hides(float x) { return exp2(x); } }
// want float 3 2 0
kernel void own_namespace_hides_library(device float *out [[buffer(0)]]) { out[0] = mine::both(2); out[1] = mine::hides(2.9f); out[2] = sin(0.0f); }

bfloat fabs(bfloat x) { return x < 0 ? -x : x + bfloat(1); }
// want float 3 2
kernel void own_bfloat_beats_template(device float *out [[buffer(0)]]) { out[0] = float(fabs(bfloat(2))); out[1] = fabs(-2.0f); }

uint atomic_load_explicit(device atomic_uint *p, int order) { return 5; }
// want uint 5
kernel void own_overload_of_atomics(device uint *out [[buffer(0)]]) { out[0] = atomic_load_explicit((device atomic_uint *)out, 0); }

struct Real { float v; operator float() const { return v; } };
// want float 3 5
kernel void converted_arguments(device float *out [[buffer(0)]]) { Real r = {9}; out[0] = sqrt(r); Real s = {25}; out[1] = metal::sqrt(s); }
