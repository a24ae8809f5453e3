// A ulong from two halves and back; a product of two uints in full width.
// want 0 ulong 4294967298 18446744065119617025
// want 1 uint 2 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device ulong* a [[buffer(0)]], device uint* b [[buffer(1)]])
{
    uint high = 1, low = 2, top = 0xffffffff;
    ulong both = ulong(high) << 32 | low;
    a[0] = both;
    a[1] = ulong(top) * top;
    b[0] = uint(both);
    b[1] = uint(both >> 32);
}
