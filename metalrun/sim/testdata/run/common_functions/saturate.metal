// saturate is clamp to 0 and 1; of a NaN and a bound, the bound stays.
// dispatch threads=5 per=5
// bind 1 float -2 0.25 3 -inf nan
// want 0 float 0 0.25 1 0 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = saturate(x[i]);
}
