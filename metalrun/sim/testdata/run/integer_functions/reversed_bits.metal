// The lowest bit becomes the highest of its type.
// bind 1 uint 1 0x00000006
// want 0 ulong 0x80000000 128 0xc000 0x60000000 0x8000000000000000
#include <metal_stdlib>
using namespace metal;

kernel void f(device ulong* a [[buffer(0)]], device const uint* x [[buffer(1)]])
{
    a[0] = reverse_bits(x[0]);
    a[1] = reverse_bits(uchar(x[0]));
    a[2] = reverse_bits(ushort(3));
    a[3] = reverse_bits(x[1]);
    a[4] = reverse_bits(ulong(x[0]));
}
