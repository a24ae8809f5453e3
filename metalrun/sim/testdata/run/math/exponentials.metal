// Powers that are exact; e; the ends of the range: exp(89) exceeds the largest float, 2^-150 is a tie to 0.
// bind 1 float 0 1 -inf inf 89
// bind 2 float 3 -2 -149 -150 128
// want 0 float 1 bits:402df854 0 inf inf
// want 3 float 8 0.25 bits:1 0 inf
// want 4 float 1 10 0 inf inf
// dispatch threads=5 per=5
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], device const float* y [[buffer(2)]], device float* b [[buffer(3)]], device float* c [[buffer(4)]], uint i [[thread_position_in_grid]])
{
    a[i] = exp(x[i]);
    b[i] = exp2(y[i]);
    c[i] = exp10(x[i]);
}
