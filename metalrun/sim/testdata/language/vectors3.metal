// Vectors, swizzles, packed vectors and matrices.
#include <metal_stdlib>
using namespace metal;

// want float 3 1 2 3
kernel void swizzles(device float *out [[buffer(0)]]) { float4 v = {1, 2, 3, 4}; out[0] = v.z; float3 w = v.xyz; out[1] = w.r; out[2] = w.g; out[3] = v.zz.x; }
// want int 4 2 3 1
kernel void swizzle_stores(device int *out [[buffer(0)]]) { int4 v = {1, 2, 3, 4}; v.xw = v.wx; out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w; }
// want int 7 7 7 3
kernel void splats(device int *out [[buffer(0)]]) { int3 v = 7; out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = int2(3).y; }
// want float 1 2 3 4
kernel void built_of_parts(device float *out [[buffer(0)]]) { float2 a = {2, 3}; float4 v = float4(1, a, 4); out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w; }
// want float 2 6 5 1
kernel void scalars_and_vectors(device float *out [[buffer(0)]]) { float2 a = {1, 3}; float2 b = a * 2; out[0] = b.x; out[1] = b.y; out[2] = (a + 2).y; out[3] = (4 - a).y; }
// want int 0 1 0 1
kernel void comparisons(device int *out [[buffer(0)]]) { bool2 b = int2(1, 5) > int2(3); out[0] = b.x; out[1] = b.y; out[2] = all(b); out[3] = any(b); }
// want float 9 4 2
kernel void selections(device float *out [[buffer(0)]]) { float2 s = select(float2(9, 8), float2(3, 4), bool2(false, true)); out[0] = s.x; out[1] = s.y; out[2] = select(1.0f, 2.0f, true); }
// want float 32 -3 6 -3
kernel void products(device float *out [[buffer(0)]]) { float3 a = {1, 2, 3}, b = {4, 5, 6}; out[0] = dot(a, b); float3 c = cross(a, b); out[1] = c.x; out[2] = c.y; out[3] = c.z; }
// want float 5 0.6 0.8 25
kernel void lengths(device float *out [[buffer(0)]]) { float2 a = {3, 4}; out[0] = length(a); float2 n = precise::normalize(a); out[1] = a.x / 5; out[2] = a.y / 5; out[3] = length_squared(a); }
// want int 2 -1 3
kernel void conversions(device int *out [[buffer(0)]]) { int3 v = int3(float3(2.9f, -1.9f, 3)); out[0] = v.x; out[1] = v.y; out[2] = v.z; }
// want int 16 12 8 2
kernel void sizes(device int *out [[buffer(0)]]) { out[0] = sizeof(float3); out[1] = sizeof(packed_float3); out[2] = sizeof(half4); out[3] = sizeof(bool2); }
// want float 1 2 3 6
kernel void packed(device float *out [[buffer(0)]]) { packed_float3 p = packed_float3(1, 2, 3); device packed_float3 *q = (device packed_float3 *)out; *q = p; float3 v = *q; out[3] = v.x * v.y * v.z; }
// want int 30 10 20
kernel void indexed(device int *out [[buffer(0)]]) { int3 v = {10, 20, 30}; int i = 2; out[0] = v[i]; v[i - 2] = v[0]; out[1] = v[0]; out[2] = v[1]; }
// want uint 0 4294967295 7
kernel void bitwise(device uint *out [[buffer(0)]]) { uint3 a = {1, 2, 7}; uint3 b = a & uint3(0, 0, 7); out[0] = b.x; out[1] = (~uint2(0)).y; out[2] = b.z; }
// want int 4 8 1
kernel void shifts(device int *out [[buffer(0)]]) { int2 v = int2(1, 2) << 2; out[0] = v.x; out[1] = v.y; out[2] = (v >> 2).x; }
// want float 1 3 2 4
kernel void matrix_columns(device float *out [[buffer(0)]]) { float2x2 m = {{1, 2}, {3, 4}}; out[0] = m[0][0]; out[1] = m[1][0]; out[2] = m[0].y; out[3] = m.columns[1].y; }
// want float 23 34
kernel void matrix_times_vector(device float *out [[buffer(0)]]) { float2x2 m = float2x2(float2(1, 2), float2(3, 4)); float2 v = m * float2(5, 6); out[0] = v.x; out[1] = v.y; }
// want float 17 39
kernel void vector_times_matrix(device float *out [[buffer(0)]]) { float2x2 m = float2x2(1, 2, 3, 4); float2 v = float2(5, 6) * m; out[0] = v.x; out[1] = v.y; }
// want float 7 10 15 22
kernel void matrix_products(device float *out [[buffer(0)]]) { float2x2 m = float2x2(1, 2, 3, 4); float2x2 n = m * m; out[0] = n[0][0]; out[1] = n[0][1]; out[2] = n[1][0]; out[3] = n[1][1]; }
// want float 2 0 2 -2
kernel void diagonals(device float *out [[buffer(0)]]) { float2x2 m(2); out[0] = m[0][0]; out[1] = m[0][1]; out[2] = m[1][1]; out[3] = determinant(float2x2(1, 2, 3, 4)); }
// want int 3 2 48 64
kernel void matrix_shapes(device int *out [[buffer(0)]]) { float3x2 m; out[0] = sizeof(m) / sizeof(float2); out[1] = 2; out[2] = sizeof(float3x3); out[3] = sizeof(float4x4); }
// want float 4 6 5
kernel void matrix_sums(device float *out [[buffer(0)]]) { float2x2 a = float2x2(1, 2, 3, 4), b = float2x2(3, 4, 2, 1); float2x2 c = a + b; out[0] = c[0][0]; out[1] = c[0][1]; out[2] = (c - a * 0)[1][0]; }
// want int 1 2 3 4
kernel void initialised_by_lists(device int *out [[buffer(0)]]) { int2 a[] = {{1, 2}, {3, 4}}; out[0] = a[0].x; out[1] = a[0].y; out[2] = a[1].x; out[3] = a[1].y; }
// want half 3 8
kernel void half_vectors(device half *out [[buffer(0)]]) { half4 h = half4(1, 2, 3, 4); h *= h.yxwz; out[0] = h.x + 1; out[1] = h.x * 4; }
// want uint 16909060 67305985
kernel void as_types(device uint *out [[buffer(0)]]) { out[0] = as_type<uint>(uchar4(4, 3, 2, 1)); out[1] = as_type<uint>(uchar4(1, 2, 3, 4)); }
// want float 4 9 1
kernel void functions_by_component(device float *out [[buffer(0)]]) { float3 v = max(float3(1, 9, 0), float3(4, 2, 1)); out[0] = v.x; out[1] = v.y; out[2] = v.z; }
