// pi/2, pi, pi/4 to the nearest float; out of the domain NaN.
// want 0 float bits:3fc90fdb 0 bits:40490fdb bits:3f490fdb nan bits:3fc90fdb bits:bfc90fdb
// bind 1 float 1 -1 2 inf
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = asin(x[0]);
    a[1] = acos(x[0]);
    a[2] = acos(x[1]);
    a[3] = atan(x[0]);
    a[4] = asin(x[2]);
    a[5] = atan(x[3]);
    a[6] = atan(-x[3]);
}
