// Vectors of three take the room of four, in size and in alignment.
// want 0 uint 16 8 4 32 4 8 2 32
// want 1 uint 16 8 4 32 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], device uint* b [[buffer(1)]])
{
    const size_t sizes[] = {
        sizeof(float3), sizeof(half3), sizeof(char3), sizeof(long3), sizeof(bool3), sizeof(float2), sizeof(uchar2), sizeof(ulong4),
    };
    for (int i = 0; i < 8; i++) {
        a[i] = sizes[i];
    }
    b[0] = alignof(float3);
    b[1] = alignof(half3);
    b[2] = alignof(char3);
    b[3] = alignof(long3);
    b[4] = alignof(half2);
}
