// The same bytes read as uchar, ushort, uint and ulong, little end first.
// bind 1 uchar 1 2 3 4 5 6 7 8
// want 0 ulong 0x0201 0x0605 0x08070605 0x0807060504030201 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device ulong* a [[buffer(0)]], device const uchar* x [[buffer(1)]])
{
    a[0] = *(device const ushort*)x;
    a[1] = ((device const ushort*)x)[2];
    a[2] = *(device const uint*)(x + 4);
    a[3] = *reinterpret_cast<device const ulong*>(x);
    a[4] = ((device const uchar*)(device const uint*)x)[2];
}
