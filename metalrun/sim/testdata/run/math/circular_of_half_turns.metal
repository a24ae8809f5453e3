// sinpi, cospi and tanpi are exact at multiples of a half and a quarter.
// bind 1 float 0.5 1 1.5 -0.5
// want 0 float 1 0 -1 -1
// want 2 float 0 -1 0 0
// want 3 float 1 -1 -1
// dispatch threads=4 per=4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], device float* b [[buffer(2)]], device float* c [[buffer(3)]], uint i [[thread_position_in_grid]])
{
    a[i] = sinpi(x[i]) + 0.0f;
    b[i] = cospi(x[i]) + 0.0f;
    if (i < 3) {
        c[i] = tanpi(x[i] / 2 + (i == 1 ? 0.25f : 0));
    }
}
