// Logarithms of powers, of the smallest subnormal, of zeros and of negative numbers.
// bind 1 float 1 8 1000 0x1p-149 0 -1 inf -0
// want 0 float 0 3 3 -149 -inf nan inf -inf
// dispatch threads=8 per=8
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    float v = x[i];
    a[i] = i == 0 ? log(v) : i == 2 ? log10(v) : i % 2 ? log2(v) : log(v);
}
