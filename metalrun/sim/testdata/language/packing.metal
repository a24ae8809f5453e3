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
