// 1 from the edge on.
// dispatch threads=4 per=4
// bind 1 float 1.5 2 2.5 -inf
// want 0 float 0 1 1 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = step(2.0f, x[i]);
}
