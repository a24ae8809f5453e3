#include <metal_stdlib>
using namespace metal;

//= 5 7 9 2 1 3 1 2 32
kernel void basics(device float *out) {
    float3 a = float3(1, 2, 3), b = float3(4, 5, 6);
    float3 s = a + b;
    out[0] = s.x; out[1] = s.y; out[2] = s.z;
    float2 w = a.yx;
    out[3] = w.x; out[4] = w.y;
    a.xy = a.zx;
    out[5] = a.x; out[6] = a.y;
    float4 c = float4(a.yz, float2(1, 2));
    out[7] = c.w;
    float3 d = float3(1, 2, 3);
    out[8] = dot(d, b);
}

//= 2 3 0 1 9 8 7 6
kernel void swizzles(device int *out) {
    int4 v = int4(0, 1, 2, 3);
    v = v.zwxy;
    out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w;
    v.wzyx = int4(6, 7, 8, 9);
    out[4] = v.x; out[5] = v.y; out[6] = v.z; out[7] = v.w;
}

//= 0 10 20 30 5 60 -1
kernel void dynamic_index(device int *out) {
    int4 v;
    for (int i = 0; i < 4; i++) v[i] = 10 * i;
    out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w;
    uint k = 2;
    v[k] = 5;
    out[4] = v.z;
    int sum = 0;
    for (uint i = 0; i < 4; i++) sum += v[i] * int(i != 2);
    out[5] = sum + 20;
    out[6] = (v < int4(100)).x ? -1 : 1;
}

//= 127 -128 255 0 44
kernel void narrow(device int *out) {
    char4 a = char4(127), b = char4(1);
    char4 s = a + b;
    out[0] = a.x;
    out[1] = s.y;
    uchar2 u = uchar2(0) - uchar2(1);
    out[2] = u.x;
    ushort2 sh = ushort2(1) << ushort2(0x100);
    out[3] = sh.x == 1 ? 0 : 1;
    uchar3 m = uchar3(200) + uchar3(100);
    out[4] = m.z;
}

//= 1 2 3 10 20 30 4 5 6 7
kernel void packed(device float *out) {
    thread packed_float3 p[2] = {packed_float3(1, 2, 3), packed_float3(10, 20, 30)};
    device packed_float3 *q = (device packed_float3 *)out;
    q[0] = p[0];
    q[1] = p[1];
    float4 v = float4(4, 5, 6, 7);
    *(device packed_float4 *)(out + 6) = packed_float4(v);
}

//= 1 2 3 -1 5 6 7
kernel void three_components(device float *out) {
    out[3] = -1;
    out[6] = 7;
    device float3 *v = (device float3 *)out;
    v[0] = float3(1, 2, 3);
    v[1].xy = float2(5, 6);
}

//= 19 43 22 50 5 6 2 1
kernel void matrices(device float *out) {
    float2x2 a = float2x2(float2(1, 3), float2(2, 4));
    float2x2 b = float2x2(float2(5, 7), float2(6, 8));
    float2x2 p = a * b;
    out[0] = p[0][0]; out[1] = p[0][1]; out[2] = p[1][0]; out[3] = p[1][1];
    float2 v = float2(1, 2);
    float2 column = a * v;
    out[4] = column.x;
    float2x2 scaled = a * 2.0f;
    out[5] = scaled[0][1];
    out[6] = transpose(a)[0][1];
    float2x2 identity = float2x2(1.0f);
    out[7] = determinant(identity);
}

//= 0 1 3 2 1 0
kernel void relational(device int *out) {
    float4 v = float4(1, 2, 3, 4);
    bool4 big = v > 2.5f;
    out[0] = all(big);
    out[1] = any(big);
    out[2] = int(select(float4(0), v, big).z);
    int n = 0;
    for (int i = 0; i < 4; i++) n += big[i] ? 1 : 0;
    out[3] = n;
    out[4] = isnan(as_type<float>(0x7fc00000u));
    out[5] = isordered(v.x, as_type<float>(0x7fc00000u));
}

//= 67305985 4 3 2 1 16256 1065353216 513
kernel void reinterpretation(device uint *out) {
    uchar4 bytes = uchar4(1, 2, 3, 4);
    uint word = as_type<uint>(bytes);
    out[0] = word;
    uchar4 back = as_type<uchar4>(word);
    out[1] = back.w; out[2] = back.z; out[3] = back.y; out[4] = back.x;
    ushort2 halves = as_type<ushort2>(1.0f);
    out[5] = halves.y;
    out[6] = as_type<uint>(as_type<float>(halves));
    ulong wide = as_type<ulong>(uint2(7, 0x02010000));
    out[7] = as_type<ushort4>(wide).w;
}
