#include <metal_stdlib>
using namespace metal;

kernel void brain(device bfloat* out [[buffer(0)]], device float* f [[buffer(1)]])
{
    bfloat x = 1.5bf;
    bfloat y = x * x + x;
    float z = y;
    z = x + 1.0f;
    out[0] = bfloat(z);
    out[1] = y + 1;
    out[2] = (bfloat)2.0f;
    out[3] = static_cast<bfloat>(f[0]);
    f[1] = out[3];
    f[2] = x < y ? x : y;
}
