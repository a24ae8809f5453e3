#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)
float exact(float a, float b, float c) { return a * b + c; }
#pragma METAL fp contract(on)
float loose(float a, float b, float c) { return a * b + c; }
kernel void pragmas(device float* out [[buffer(0)]])
{
    {
        #pragma STDC FP_CONTRACT OFF
        out[0] = out[1] * out[2] + out[3];
    }
    out[1] = out[2] * out[3] + 1;
    {
        #pragma METAL fp math_mode(safe)
        out[2] += exact(1, 2, 3) * loose(4, 5, 6);
    }
    #pragma clang loop unroll(full)
    for (int i = 0; i < 2; i++) out[i] -= 1;
}
