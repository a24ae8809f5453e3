// 1e8 has ulp 8 and absorbs a 1; 0.1 + 0.2 rounds to the float nearest to 0.3.
// bind 1 float 1e8 1 0.1 0.2 0.3
// want 0 float 0 1 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = (x[0] + x[1]) - x[0];
    a[1] = (x[0] - x[0]) + x[1];
    a[2] = x[2] + x[3] == x[4];
}
