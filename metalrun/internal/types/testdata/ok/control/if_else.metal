#include <metal_stdlib>
using namespace metal;

kernel void branches(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (i == 0) out[0] = 1;
    else if (i == 1) { out[1] = 2; }
    else out[2] = 3;
    if (float x = out[i]; x > 1) out[3] = x;
    if (int n = i) out[4] = n;
    else out[5] = n;
    if (i > 2) ; else return;
    out[6] = i > 3 ? i < 5 ? 1 : 2 : 3;
}
