// Lowest set bit, its removal, and bytes in opposite order.
// bind 1 uint 40 0x12345678
// want 0 uint 8 32 0x78563412
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], device const uint* x [[buffer(1)]])
{
    uint n = x[0], w = x[1];
    a[0] = n & -n;
    a[1] = n & (n - 1);
    a[2] = w << 24 | (w & 0xff00) << 8 | (w >> 8 & 0xff00) | w >> 24;
}
