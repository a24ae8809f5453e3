#include <metal_stdlib>
using namespace metal;

kernel void library(device float* out [[buffer(0)]], device int* n [[buffer(1)]], device half* h [[buffer(2)]])
{
    out[0] = M_PI_F + M_E_F + INFINITY + FLT_MAX + FLT_EPSILON + MAXFLOAT + FLT_MIN;
    out[1] = NAN;
    n[0] = INT_MAX;
    n[1] = INT_MIN;
    uint u = UINT_MAX;
    n[2] = u;
    h[0] = M_PI_H;
    h[1] = HALF_MAX;
    out[2] = -INFINITY;
    n[3] = CHAR_BIT + SHRT_MAX;
}
