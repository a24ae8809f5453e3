// A packed_float4 may begin at any multiple of four bytes.
// bind 1 float 0 1 2 3 4 5
// want 0 float 1 2 3 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = float4(*(device const packed_float4*)(x + 1));
}
