#include <metal_stdlib>
using namespace metal;

kernel void truth(device int* out [[buffer(0)]], device const float* in [[buffer(1)]])
{
    if (in[0]) out[0] = 1;
    if (out) out[1] = !in[1];
    while (!out[2]) out[2]++;
    bool b = in[3];
    b = b && out[4] || in[5];
    out[6] = b ? 1 : 2;
    out[7] = !out;
    for (; out[8]; out[8]--) {}
}
