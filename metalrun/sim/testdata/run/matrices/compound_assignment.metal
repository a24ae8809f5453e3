// m *= s scales, m += n adds, m -= n subtracts.
// want 0 float 2 4 6 8 3 4 6 9 0 0 0 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2x2* a [[buffer(0)]])
{
    float2x2 m = float2x2(1, 2, 3, 4);
    m *= 2;
    a[0] = m;
    m += float2x2(1);
    a[1] = m;
    m -= a[1];
    a[2] = m;
}
