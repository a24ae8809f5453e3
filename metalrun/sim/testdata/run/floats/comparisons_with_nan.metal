// A NaN differs from everything, itself included, and is in no order.
// bind 1 float nan 1
// want 0 int 0 1 0 0 0 0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    float n = x[0], one = x[1];
    a[0] = n == n;
    a[1] = n != n;
    a[2] = n < one;
    a[3] = n > one;
    a[4] = n <= n;
    a[5] = n >= one;
    a[6] = !(n < one);
}
