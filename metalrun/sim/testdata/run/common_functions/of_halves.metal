// The same in half: mix(1, 2, 1/3) rounds 1/3 and the sum to half.
// bind 1 half bits:3555
// want 0 half 0.5 1 bits:3d55 -1 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]])
{
    a[0] = saturate(0.5h);
    a[1] = clamp(3.0h, 0.0h, 1.0h);
    a[2] = mix(1.0h, 2.0h, x[0]);
    a[3] = sign(-2.0h);
    a[4] = step(1.0h, 0.5h);
}
