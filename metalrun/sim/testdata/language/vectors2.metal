// Vectors: construction, swizzles, element-wise operators, packed vectors, comparison, conversion, matrices.
#include <metal_stdlib>
using namespace metal;

// want int 1 2 3 4
kernel void from_scalars(device int *out [[buffer(0)]]) { int4 v = int4(1, 2, 3, 4); for (int i = 0; i < 4; i++) out[i] = v[i]; }
// want int 7 7 7
kernel void splat(device int *out [[buffer(0)]]) { int3 v = int3(7); out[0] = v.x; out[1] = v.y; out[2] = v.z; }
// want int 1 2 3 4
kernel void from_parts(device int *out [[buffer(0)]]) { int2 a = int2(1, 2), b = int2(3, 4); int4 v = int4(a, b); for (int i = 0; i < 4; i++) out[i] = v[i]; }
// want int 1 5 6 9
kernel void from_mixed_parts(device int *out [[buffer(0)]]) { int2 m = int2(5, 6); int4 v = int4(1, m, 9); for (int i = 0; i < 4; i++) out[i] = v[i]; }
// want int 4 3 2 1
kernel void reversed(device int *out [[buffer(0)]]) { int4 v = int4(1, 2, 3, 4).wzyx; for (int i = 0; i < 4; i++) out[i] = v[i]; }
// want int 2 2 1 1
kernel void repeated(device int *out [[buffer(0)]]) { int4 v = int2(1, 2).yyxx; for (int i = 0; i < 4; i++) out[i] = v[i]; }
// want int 9 2 8 4
kernel void swizzle_store(device int *out [[buffer(0)]]) { int4 v = int4(1, 2, 3, 4); v.xz = int2(9, 8); for (int i = 0; i < 4; i++) out[i] = v[i]; }
// want int 2 1 4 3
kernel void swizzle_swap(device int *out [[buffer(0)]]) { int4 v = int4(1, 2, 3, 4); v.xyzw = v.yxwz; for (int i = 0; i < 4; i++) out[i] = v[i]; }
// want int 11 2 13 4
kernel void swizzle_compound(device int *out [[buffer(0)]]) { int4 v = int4(1, 2, 3, 4); v.xz += 10; for (int i = 0; i < 4; i++) out[i] = v[i]; }
// want int 3 1 4 2
kernel void colours(device int *out [[buffer(0)]]) { int4 v = int4(1, 2, 3, 4); out[0] = v.b; out[1] = v.r; out[2] = v.a; out[3] = v.rg.y; }
// want int 3 1
kernel void swizzle_of_a_swizzle(device int *out [[buffer(0)]]) { int4 v = int4(1, 2, 3, 4); out[0] = v.zyx.xy.x; out[1] = v.wzyx.wz.x; }
// want int 11 22 -9 -18
kernel void sums_and_differences(device int *out [[buffer(0)]]) { int2 a = int2(1, 2), b = int2(10, 20); out[0] = (a + b).x; out[1] = (a + b).y; out[2] = (a - b).x; out[3] = (a - b).y; }
// want int 3 6 5 10
kernel void scalars_on_either_side(device int *out [[buffer(0)]]) { int2 a = int2(1, 2); out[0] = (a * 3).x; out[1] = (3 * a).y; a *= 5; out[2] = a.x; out[3] = a.y; }
// want int 3 2 1 0
kernel void quotients(device int *out [[buffer(0)]]) { int2 a = int2(7, 8), b = int2(2, 4); out[0] = (a / b).x; out[1] = (a / b).y; out[2] = (a % b).x; out[3] = (a % b).y; }
// want int 1 6 7 -2
kernel void bitwise(device int *out [[buffer(0)]]) { int2 a = int2(3, 5), b = int2(5, 3); out[0] = (a & b).x; out[1] = (a ^ b).y; out[2] = (a | b).x; out[3] = (~int2(1)).x; }
// want int 8 20 1 -2
kernel void shifts(device int *out [[buffer(0)]]) { int2 a = int2(1, 5); out[0] = (a << 3).x; out[1] = (a << int2(0, 2)).y; out[2] = (a >> 2).y; out[3] = (int2(-4) >> 1).x; }
// want int -1 -2 2 3 1
kernel void unary(device int *out [[buffer(0)]]) { int2 a = int2(1, 2); out[0] = (-a).x; out[1] = (-a).y; ++a; out[2] = a.x; out[3] = a.y; out[4] = (a--).y - 2; }
// want float 0.5 1.5 2.5
kernel void floats(device float *out [[buffer(0)]]) { float3 v = float3(1, 3, 5) * 0.5f; out[0] = v.x; out[1] = v.y; out[2] = v.z; }
// want int 1 -1 2
kernel void converted_by_constructor(device int *out [[buffer(0)]]) { int3 v = int3(float3(1.9f, -1.9f, 2.0f)); out[0] = v.x; out[1] = v.y; out[2] = v.z; }
// want int 255 1 44
kernel void narrowed_by_constructor(device int *out [[buffer(0)]]) { uchar3 v = uchar3(int3(-1, 257, 300)); out[0] = v.x; out[1] = v.y; out[2] = v.z; }
// want int 16 16 8 8 4 32
kernel void sizes(device int *out [[buffer(0)]]) { out[0] = sizeof(float3); out[1] = sizeof(int4); out[2] = sizeof(half3); out[3] = sizeof(float2); out[4] = sizeof(uchar3); out[5] = sizeof(long3); }
// want int 12 4 6 3 24
kernel void packed_sizes(device int *out [[buffer(0)]]) { out[0] = sizeof(packed_float3); out[1] = alignof(packed_float3); out[2] = sizeof(packed_half3); out[3] = sizeof(packed_uchar3); out[4] = sizeof(packed_long3); }
// want float 5 7 9
kernel void packed_computes(device float *out [[buffer(0)]]) { packed_float3 a = packed_float3(1, 2, 3); float3 b = float3(4, 5, 6); float3 c = a + b; out[0] = c.x; out[1] = c.y; out[2] = c.z; }
// want float 1 9 3 2
kernel void packed_elements(device float *out [[buffer(0)]]) { packed_float3 a = packed_float3(1, 2, 3); a[1] = 9; out[0] = a.x; out[1] = a[1]; out[2] = a.z; float3 b = a; out[3] = (b / b.x - 7).y; }
struct Packed { char c; packed_int3 v; };
// want int 16 4 6
kernel void packed_in_objects(device int *out [[buffer(0)]]) { out[0] = sizeof(Packed); Packed p = {1, packed_int3(2, 4, 6)}; out[1] = p.v.y; out[2] = int3(p.v).z; }
// want int 1 3 2
kernel void packed_arrays(device int *out [[buffer(0)]]) { packed_int3 a[2] = {packed_int3(1, 2, 3), packed_int3(4, 5, 6)}; thread int *p = (thread int *)a; out[0] = p[0]; out[1] = p[3] - a[0].x; out[2] = a[1].y - p[2]; }
// want int 1 0 1 0
kernel void comparisons(device int *out [[buffer(0)]]) { int4 a = int4(1, 5, 3, 7), b = int4(2, 4, 3, 6); bool4 c = a <= b; for (int i = 0; i < 4; i++) out[i] = c[i]; }
// want int 1 0 1 1
kernel void all_and_any(device int *out [[buffer(0)]]) { int3 a = int3(1, 2, 3); out[0] = all(a > 0); out[1] = any(a > 3); out[2] = any(a == 2); out[3] = all(!(a == 9)); }
// want int 10 2 30
kernel void selected(device int *out [[buffer(0)]]) { int3 v = select(int3(1, 2, 3), int3(10, 20, 30), bool3(true, false, true)); out[0] = v.x; out[1] = v.y; out[2] = v.z; }
// want float 32 14 3
kernel void products(device float *out [[buffer(0)]]) { float3 a = float3(1, 2, 3), b = float3(4, 5, 6); out[0] = dot(a, b); out[1] = dot(a, a); out[2] = length(float3(1, 2, 2)); }
// want float -3 6 -3
kernel void crossed(device float *out [[buffer(0)]]) { float3 c = cross(float3(1, 2, 3), float3(4, 5, 6)); out[0] = c.x; out[1] = c.y; out[2] = c.z; }
// want int 2 3 4 1
kernel void extremes(device int *out [[buffer(0)]]) { int2 a = int2(1, 4), b = int2(2, 3); out[0] = max(a, b).x; out[1] = min(a, b).y; out[2] = max(a, b).y; out[3] = clamp(a, 0, 1).y; }
// want uint 67305985 1 2
kernel void reinterpreted(device uint *out [[buffer(0)]]) { out[0] = as_type<uint>(uchar4(1, 2, 3, 4)); uint2 v = as_type<uint2>(0x0000000200000001ul); out[1] = v.x; out[2] = v.y; }
// want int 3 5 9
kernel void by_reference(device int *out [[buffer(0)]]) { int3 v = int3(1, 5, 9); thread int3 &r = v; r.x = 3; thread int *p = (thread int *)&v; for (int i = 0; i < 3; i++) out[i] = p[i]; }
// want int 6 15
kernel void indexed_by_variables(device int *out [[buffer(0)]]) { int4 v = int4(1, 2, 3, 9); int s = 0; for (int i = 0; i < 3; i++) s += v[i]; out[0] = s; v[s - 5] = 11; out[1] = v.x + v.y + v.z; }
typedef vec<short, 3> S3; template <typename T, int N> T add_up(vec<T, N> v) { T s = 0; for (int i = 0; i < N; i++) s += v[i]; return s; }
// want int 8 6 10 7
kernel void generic(device int *out [[buffer(0)]]) { out[0] = sizeof(S3); out[1] = add_up(S3(1, 2, 3)); out[2] = add_up(int4(1, 2, 3, 4)); out[3] = add_up(vec<uchar, 2>(3, 4)); }
// want float 4 6 1
kernel void half_vectors(device float *out [[buffer(0)]]) { half4 v = half4(1, 2, 3, 4); v = v + v.yxwz - half4(-1, 0, 0, 0) ; out[0] = v.x; out[1] = float(v.z) - 1; out[2] = v.w - v.z + 1; }
