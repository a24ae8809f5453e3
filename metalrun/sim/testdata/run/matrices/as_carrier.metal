// A half4x4 by reference carries 16 values, element k at [k/4][k%4].
// bind 1 uchar 0x10 0x32 0x54 0x76 0x98 0xba 0xdc 0xfe
// want 0 half 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
#include <metal_stdlib>
using namespace metal;

static void unpack(device const uchar* q, thread half4x4& reg)
{
    for (int k = 0; k < 16; k++) {
        reg[k / 4][k % 4] = half((q[k / 2] >> (k % 2 * 4)) & 15);
    }
}
kernel void f(device half4x4* a [[buffer(0)]], device const uchar* q [[buffer(1)]])
{
    half4x4 m;
    unpack(q, m);
    a[0] = m;
}
