// Vectors: constructors, swizzles, packed forms, conversions, operators component by component.
#include <metal_stdlib>
using namespace metal;

// want float 1 2 3 4
kernel void from_parts(device float *out [[buffer(0)]])
{
    float2 a(1, 2);
    float4 v(a, 3, 4);
    for (uint i = 0; i < 4; ++i)
        out[i] = v[i];
}

// want float 7 7 1 2
kernel void splats(device float *out [[buffer(0)]])
{
    float3 a(7), b = 7;
    float4 c(1.0f, float3(2));
    out[0] = a.z;
    out[1] = b.y;
    out[2] = c.x;
    out[3] = c.w;
}

// want int 3 2 1 4 1 1
kernel void swizzles(device int *out [[buffer(0)]])
{
    int4 v(1, 2, 3, 4);
    int3 r = v.zyx;
    out[0] = r.x;
    out[1] = r.y;
    out[2] = r.z;
    out[3] = v.abgr.x;
    out[4] = v.xx.y;
    out[5] = v.rrrr.a;
}

// want int 9 8 3 10
kernel void swizzle_stores(device int *out [[buffer(0)]])
{
    int4 v(1, 2, 3, 4);
    v.yx = int2(8, 9);
    v.w += 6;
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    out[3] = v.w;
}

// want int 5 7 16 12 3
kernel void packed(device int *out [[buffer(0)]])
{
    packed_int3 p(5, 6, 7);
    int3 v = p;
    out[0] = v.x;
    out[1] = p[2];
    out[2] = sizeof(int3);
    out[3] = sizeof(packed_int3);
    p.xy = int2(1, 2);
    out[4] = p.x + p.y;
}

// want int 1 0 1 2
kernel void comparisons(device int *out [[buffer(0)]])
{
    bool3 b = int3(1, 5, 3) < int3(2, 4, 9);
    out[0] = b.x;
    out[1] = b.y;
    out[2] = any(b) && !all(b);
    out[3] = select(int3(1), int3(2), b).z;
}

// want int -3 1 255 0
kernel void conversions(device int *out [[buffer(0)]])
{
    int2 a = int2(float2(-3.7f, 1.2f));
    uchar2 b = uchar2(int2(255, 256));
    out[0] = a.x;
    out[1] = a.y;
    out[2] = b.x;
    out[3] = b.y;
}

// want int 4 6 10 40
kernel void arithmetic(device int *out [[buffer(0)]])
{
    int2 a(1, 2), b(3, 4);
    int2 s = a + b, p = a * 10 / int2(1, 2);
    out[0] = s.x;
    out[1] = s.y;
    out[2] = p.y;
    out[3] = (b << 3).y + (b & 8).x + (a ^ b).x + (b % 3).y + (~a).y + 8;
}

// want int 32 8 24 4 6 64
kernel void sizes(device int *out [[buffer(0)]])
{
    out[0] = sizeof(long3);
    out[1] = sizeof(half4);
    out[2] = sizeof(packed_long3);
    out[3] = sizeof(char3);
    out[4] = sizeof(packed_half3);
    out[5] = sizeof(float4x4);
}

// want int 2 12 8
kernel void generic(device int *out [[buffer(0)]])
{
    vec<int, 2> a(1, 2);
    packed_vec<float, 3> p(1.0f);
    out[0] = a.y;
    out[1] = sizeof(p);
    out[2] = sizeof(vec<half, 4>);
}

// want uint 0x04030201 0x3f803c00 513
kernel void reinterpreted(device uint *out [[buffer(0)]])
{
    out[0] = as_type<uint>(uchar4(1, 2, 3, 4));
    out[1] = as_type<uint>(ushort2(0x3c00, 0x3f80));
    out[2] = as_type<ushort>(uchar2(1, 2));
}

// want int 1 2 3 4
kernel void through_pointers(device int *out [[buffer(0)]])
{
    *(device int4 *)out = int4(4, 3, 2, 1).wzyx;
}

// want float 11 14 3
kernel void dots(device float *out [[buffer(0)]])
{
    out[0] = dot(float2(1, 2), float2(3, 4));
    out[1] = dot(float3(1, 2, 3), float3(1, 2, 3));
    out[2] = length(float3(1, 2, 2));
}

// want float 17 39 23 34
kernel void matrix_products(device float *out [[buffer(0)]])
{
    float2x2 m(float2(1, 3), float2(2, 4));
    float2 c = m * float2(5, 6), r = float2(5, 6) * m;
    out[0] = c.x;
    out[1] = c.y;
    out[2] = r.x;
    out[3] = r.y;
}

// want float 1 0 0 4 3 3
kernel void matrix_elements(device float *out [[buffer(0)]])
{
    float2x2 i(1.0f);
    out[0] = i[0][0];
    out[1] = i[0][1];
    float3x2 m(1, 2, 3, 4, 5, 6);
    out[2] = i[1].x;
    out[3] = m[1][1];
    out[4] = transpose(m)[0][1];
    m[2] = float2(9, 3);
    out[5] = m[2].y;
}

// want int 3 3 7
kernel void lists(device int *out [[buffer(0)]])
{
    int3 a = {1, 2, 3}, b{3, 2, 1};
    int2 c[2] = {{4, 5}, {6, 7}};
    out[0] = a.z;
    out[1] = b.x;
    out[2] = c[1].y;
}

// want int 1 2 1 -1
kernel void chars(device int *out [[buffer(0)]])
{
    char4 q = as_type<char4>(0xff010201u);
    out[0] = q.x;
    out[1] = q.y;
    out[2] = q.z;
    out[3] = q.w;
}

// want float 2 0.5 8 1
kernel void halves(device float *out [[buffer(0)]])
{
    half4 h = half4(1, 2, 3, 4) * 2.0h;
    bfloat2 b = bfloat2(0.5bf, 1.0bf);
    out[0] = h.x;
    out[1] = float(b.x);
    out[2] = float4(h).w;
    out[3] = float2(b).y;
}

// want int 5 -5 6
kernel void increments(device int *out [[buffer(0)]])
{
    int2 v(4, 5);
    v++;
    out[0] = v.x;
    out[1] = (-v).x;
    ++v.x;
    out[2] = v.x;
}

// want int 10
kernel void ranges(device int *out [[buffer(0)]])
{
    int4 v(1, 2, 3, 4);
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += v[i];
    out[0] = s;
}
