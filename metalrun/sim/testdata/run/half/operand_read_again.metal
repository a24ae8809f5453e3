// A half that is widened is read by a product that waits, and after it by a comparison.
// dispatch threads=4 per=4
// bind 0 half 2 3 -4 5
// bind 1 half 10 20 30 40
// want 2 half 20 60 bits:8000 200
#include <metal_stdlib>
using namespace metal;

kernel void f(device const half* x [[buffer(0)]], device const half* y [[buffer(1)]], device half* z [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    const float a = x[i], b = y[i];
    z[i] = half(a * b * (a > 0.0f));
}
