// Least, greatest and middle of three.
// bind 1 float 3 1 2
// want 0 float 1 3 2 2 -3
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = min3(x[0], x[1], x[2]);
    a[1] = max3(x[0], x[1], x[2]);
    a[2] = median3(x[0], x[1], x[2]);
    a[3] = median3(x[2], x[0], x[1]);
    a[4] = min3(x[1], x[2], -x[0]);
}
