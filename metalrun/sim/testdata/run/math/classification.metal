// Columns: finite, infinite, NaN, normal, sign bit.
// dispatch threads=6 per=6
// bind 1 float 1 -inf nan 0x1p-127 -0 -0x1p-126
// want 0 int 10010 1001 100 10000 10001 10011
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    float v = x[i];
    a[i] = 10000 * isfinite(v) + 1000 * isinf(v) + 100 * isnan(v) + 10 * isnormal(v) + (isnan(v) ? 0 : signbit(v));
}
