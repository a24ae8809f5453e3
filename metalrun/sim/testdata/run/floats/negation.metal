// -x changes the sign of a zero, 0 - x does not make -0.
// bind 1 float 0 2.5
// want 0 float bits:80000000 bits:0 -2.5 2.5
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = -x[0];
    a[1] = 0 - x[0];
    a[2] = -x[1];
    a[3] = +x[1];
}
