// Bits that are set, in the width of the type.
// want 0 int 8 32 8 64 0 16 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    a[0] = popcount(0xff);
    a[1] = popcount(-1);
    a[2] = popcount(char(-1));
    a[3] = popcount(~0ul);
    a[4] = popcount(0u);
    a[5] = popcount(ushort(0xffff));
    a[6] = popcount(0x80000000);
}
