// Vectors of 8 and 16 components, which have no names of their own.
#include <metal_stdlib>
using namespace metal;
// version 300
typedef half half_v8 __attribute__((ext_vector_type(8)));
typedef __attribute__((__ext_vector_type__(8))) float float_v8;
using half_v16 = half __attribute__((ext_vector_type(16)));
typedef int int_v2 __attribute__((ext_vector_type(2)));

// want half 1 8 9
kernel void elements(device half *out [[buffer(0)]]) { half_v8 v = {1, 2, 3, 4, 5, 6, 7, 8}; out[0] = v[0]; out[1] = v[7]; out[2] = v[0] + v[7]; }
// want float 4 16 4
kernel void arithmetic(device float *out [[buffer(0)]]) { float_v8 v = float_v8(2.0f); v += 2.0f; out[0] = v[5]; v = v * v; out[1] = v[7]; out[2] = (v - 12.0f)[3]; }
// want int 16 32 8
kernel void sizes(device int *out [[buffer(0)]]) { out[0] = sizeof(half_v8); out[1] = sizeof(half_v16); out[2] = sizeof(int_v2); }
// want half 3 0 0 0 0 0 0 4
kernel void through_pointers(device half *out [[buffer(0)]]) { half_v8 v = half_v8(0); v[0] = 3; v[7] = 4; *(device half_v8 *)out = v; }
// want float 15 15
kernel void vec_of_eight(device float *out [[buffer(0)]]) { vec<float, 8> v = {1, 2, 4, 8, 0, 0, 0, 0}; float s = 0; for (int i = 0; i < 8; i++) s += v[i]; out[0] = s; float_v8 w = v; out[1] = w[0] + w[1] + w[2] + w[3]; }
// want int 5 2
kernel void short_ones_are_the_usual(device int *out [[buffer(0)]]) { int_v2 a = {5, 2}; int2 b = a; out[0] = b.x; out[1] = a.y; }
