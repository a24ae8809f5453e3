// Packed and unpacked vectors convert to each other in both directions.
// want 0 float 2 4 6 1 2 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device packed_float3* a [[buffer(0)]])
{
    packed_float3 p = packed_float3(1, 2, 3);
    float3 v = p;
    v *= 2;
    a[0] = v;
    a[1] = packed_float3(v / 2);
}
