// Writing a swizzle of an element in memory leaves the other components.
// bind 0 float 1 2 3 4 5 6 7 8
// want 0 float 1 20 3 40 5 6 8 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]])
{
    a[0].yw = float2(20, 40);
    a[1].zw = a[1].wz;
}
