// fmod has the sign of the dividend; fdim is the difference or 0; copysign sees the sign of zero.
// bind 1 float 5.5 -5.5 3 inf 0 -0
// want 0 float 1.5 -1.5 1.5 3 nan nan 0 2.5 -3
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = fmod(x[0], 2);
    a[1] = fmod(x[1], 2);
    a[2] = fmod(x[0], -2);
    a[3] = fmod(x[2], x[3]);
    a[4] = fmod(x[2], x[4]);
    a[5] = fmod(x[3], x[2]);
    a[6] = fdim(x[2], x[0]);
    a[7] = fdim(x[0], x[2]);
    a[8] = copysign(x[2], x[5]);
}
