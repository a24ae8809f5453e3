// sqrt(2) = 1.41421 lies nearest to 1 + 424/1024; sqrt(6.25) is exact.
// bind 1 half 2 6.25
// want 0 half bits:3da8 2.5
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]])
{
    a[0] = sqrt(x[0]);
    a[1] = sqrt(x[1]);
}
