// t*t*(3 - 2t): 1/16 * 2.5 = 0.15625 at a quarter, 0.5 in the middle, 9/16 * 1.5 = 0.84375.
// dispatch threads=5 per=5
// bind 1 float -1 1 2 3 9
// want 0 float 0 0.15625 0.5 0.84375 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = smoothstep(0.0f, 4.0f, x[i]);
}
