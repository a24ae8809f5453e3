// Loads, stores and assignments keep the bits.
// semantics flush
// bind 1 float 0x1p-127 -0x1p-149
// want 0 float 0x1p-127 -0x1p-149
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    float y = x[0];
    a[0] = y;
    float2 v = float2(0, x[1]);
    a[1] = v.y;
}
