// (1+2^-10)^2 = 1 + 2^-9 + 2^-20 loses its last term; 3 * 1365/4096 is a tie that rises to 1.
// bind 1 half 0x1.004p0 bits:3555
// want 0 half bits:3c02 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]])
{
    a[0] = x[0] * x[0];
    a[1] = x[1] * 3;
}
