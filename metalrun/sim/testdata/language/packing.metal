// Components packed as fixed-point numbers.
#include <metal_stdlib>
using namespace metal;

// want float 1 0 0.2 -1 1 0
kernel void unpacked(device float *out [[buffer(0)]])
{
    float4 u = unpack_unorm4x8_to_float(0x330000ffu);
    float4 s = unpack_snorm4x8_to_float(0x00007f80u);
    out[0] = u.x;
    out[1] = u.y;
    out[2] = u.w;
    out[3] = s.x;
    out[4] = s.y;
    out[5] = s.z;
}

// want uint 0xff008033 0x7f81 0xffff0000 0x80007fff
kernel void packed(device uint *out [[buffer(0)]])
{
    out[0] = pack_float_to_unorm4x8(float4(0.2f, 0.5f, -3.0f, 7.0f));
    out[1] = pack_float_to_snorm4x8(float4(-1.0f, 1.0f, 0.0f, 0.0f));
    out[2] = pack_float_to_unorm2x16(float2(0.0f, 1.0f));
    out[3] = pack_float_to_snorm2x16(float2(1.0f, -1.0f)) & 0xffff | 0x80000000;
}

// want uint 0xc00003ff 0xffff0000
kernel void more(device uint *out [[buffer(0)]])
{
    out[0] = pack_float_to_unorm10a2(float4(1, 0, 0, 1));
    out[1] = pack_half_to_unorm2x16(half2(0, 1));
}

// want float 1 0.5 -0.5
kernel void halves(device float *out [[buffer(0)]])
{
    out[0] = unpack_unorm4x8_to_half(255).x;
    out[1] = float(unpack_unorm10a2_to_half(0x000001ffu << 10).y > 0.49h) / 2;
    out[2] = unpack_snorm2x16_to_half(0xc000c001u).y > -0.51h ? -0.5 : 0;
}

// Red in the lowest bits: 31, 21 · 32 and 10 · 2048; halves are rounded to even, 0.5 to 0, 2.5 to 2 and 4.5 to 4.
// want uint 0x52bf 0x2040 0xf800 0xffe0
kernel void five_six_five(device uint *out [[buffer(0)]])
{
    out[0] = pack_float_to_unorm565(float3(1.5f, 1 / 3.0f, 10 / 31.0f));
    out[1] = pack_float_to_unorm565(float3(0.5f / 31, 2.5f / 63, 4.5f / 31));
    out[2] = pack_half_to_unorm565(half3(-1, 0, 1));
    out[3] = pack_half_to_unorm565(unpack_unorm565_to_half(0xffe0));
}
// want float 1 0.333333343 0 0.5
kernel void five_six_five_unpacked(device float *out [[buffer(0)]])
{
    float3 c = unpack_unorm565_to_float(0x02bf);
    out[0] = c.r;
    out[1] = c.g;
    out[2] = c.b;
    out[3] = unpack_unorm565_to_half(0x7800).b > 0.48h ? 0.5f : 0.0f;
}
// The curve of sRGB: 0.5 is 0.7353569 · 255 = 187.5 rounded up, 0.002 is 12.92 times that, and alpha is as it is. Back: 188 is 0.50289,
// and 7 is 700 / 12.92 = 54.2 hundredths.
// want uint 0x800007bc 128 54 0 255
kernel void srgb(device uint *out [[buffer(0)]])
{
    out[0] = pack_float_to_srgb_unorm4x8(float4(0.5f, 0.002f, -1.0f, 128 / 255.0f));
    float4 c = unpack_unorm4x8_srgb_to_float(out[0]);
    out[1] = uint(rint(c.x * 255));
    out[2] = uint(rint(c.y * 25500));
    out[3] = uint(c.z);
    out[4] = pack_half_to_srgb_unorm4x8(unpack_unorm4x8_srgb_to_half(0x000000ff));
}
