#include <metal_stdlib>
using namespace metal;

kernel void halves(device half* out [[buffer(0)]], device const half* in [[buffer(1)]])
{
    half h = in[0];
    out[0] = h * 2;
    out[1] = h * 2.0f;
    out[2] = h + 1.0h;
    h += 1.5f;
    h = -h;
    out[3] = h++;
    float f = h;
    out[4] = f;
}
