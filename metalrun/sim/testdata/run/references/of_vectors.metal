// A reference to a vector; components change through it.
// want 0 float 1 20 6 4
#include <metal_stdlib>
using namespace metal;

static void change(thread float4& v)
{
    v.y *= 10;
    v[2] = v.y - 14;
}
kernel void f(device float4* a [[buffer(0)]])
{
    float4 v = float4(1, 2, 3, 4);
    change(v);
    a[0] = v;
}
