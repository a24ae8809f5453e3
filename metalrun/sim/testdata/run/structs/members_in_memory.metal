// The bytes of a struct of uchar, ushort and uint: 1 + 1 of padding + 2 + 4.
// bind 1 uchar 7 0 0x34 0x12 0x78 0x56 0x34 0x12 9 0 1 0 2 0 0 0
// want 0 uint 7 0x1234 0x12345678 9 1 2
#include <metal_stdlib>
using namespace metal;

struct Head {
    uchar tag;
    ushort count;
    uint length;
};
kernel void f(device uint* a [[buffer(0)]], device const Head* h [[buffer(1)]])
{
    for (int i = 0; i < 2; i++) {
        a[3 * i] = h[i].tag;
        a[3 * i + 1] = h[i].count;
        a[3 * i + 2] = h[i].length;
    }
}
