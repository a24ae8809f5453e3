// A scalar assigned to a swizzle fills all of its components.
// want 0 half 9 2 9 9
#include <metal_stdlib>
using namespace metal;

kernel void f(device half4* a [[buffer(0)]])
{
    half4 v = half4(1, 2, 3, 4);
    v.xzw = 9;
    a[0] = v;
}
