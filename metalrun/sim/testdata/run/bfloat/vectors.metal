// bfloat vectors in memory, converted by component.
// bind 1 bfloat 1 2 3 4
// want 0 float 2 4 6 8
// want 2 bfloat 4 3 2 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]], device const bfloat4* x [[buffer(1)]], device bfloat4* b [[buffer(2)]])
{
    a[0] = float4(x[0]) * 2;
    b[0] = x[0].wzyx;
}
