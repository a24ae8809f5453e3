// Sums, products and quotients of halves that differ between threads.
// dispatch threads=4 per=4
// bind 1 half 1 2048 65504 bits:1
// bind 2 half 3 1 2 2
// want 0 half 4 2048 65504 2
// want 3 half 3 2048 inf bits:2
// want 4 half bits:3555 2048 32752 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]], device const half* y [[buffer(2)]], device half* b [[buffer(3)]], device half* c [[buffer(4)]], uint i [[thread_position_in_grid]])
{
    a[i] = x[i] + y[i];
    b[i] = x[i] * y[i];
    c[i] = x[i] / y[i];
}
