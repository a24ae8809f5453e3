#include <metal_stdlib>
using namespace metal;

struct Args { uint n; float scale; };
kernel void implicit_indices(constant Args& args, device const float* x, device float* y [[buffer(1)]], device int* z,
    threadgroup float* s [[threadgroup(1)]], threadgroup float* t, uint i [[thread_position_in_grid]])
{
    s[i] = x[i];
    t[i] = s[i] * args.scale;
    if (i < args.n) y[i] = t[i] + z[i];
}
