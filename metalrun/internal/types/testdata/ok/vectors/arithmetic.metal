#include <metal_stdlib>
using namespace metal;

kernel void arithmetic(device float4* f [[buffer(0)]], device int4* n [[buffer(1)]], device char4* c [[buffer(2)]], device half2* h [[buffer(3)]])
{
    f[0] = f[1] * f[2] + 1;
    f[1] = 2.0f - f[0] / f[1];
    n[0] = n[1] % 3 + (n[2] & 15) - ~n[3];
    n[1] = n[0] << 2;
    n[2] = n[0] >> n[1];
    n[3] <<= 1;
    c[0] = c[1] + c[2];
    c[1] *= 3;
    h[0] = h[1] * 2.0f;
    h[1] = -h[0];
    f[3] -= 0.5f;
    f[3] = +f[3];
    f[2] /= f[3];
    n[0]++;
    f[0] = f[1] * int(3);
}
