// Packed vectors have no padding and the alignment of their components.
// want 0 uint 12 6 4 24 3 8 4 2 1 8 1 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]])
{
    a[0] = sizeof(packed_float3);
    a[1] = sizeof(packed_half3);
    a[2] = sizeof(packed_char4);
    a[3] = sizeof(packed_long3);
    a[4] = sizeof(packed_uchar3);
    a[5] = sizeof(packed_short4);
    a[6] = alignof(packed_float3);
    a[7] = alignof(packed_half3);
    a[8] = alignof(packed_char4);
    a[9] = alignof(packed_long3);
    a[10] = alignof(packed_uchar3);
    a[11] = alignof(packed_uint2);
}
