// Values stay between the bounds.
// dispatch threads=4 per=4
// bind 1 float -2 0.5 3 inf
// want 0 float -1 0.5 1 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = clamp(x[i], -1.0f, 1.0f);
}
