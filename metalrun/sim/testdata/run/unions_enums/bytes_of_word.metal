// The lowest byte of a word comes first.
// want 0 uint 0x78 0x12 0x12ff5678
#include <metal_stdlib>
using namespace metal;

union Word {
    uint u;
    uchar bytes[4];
};
kernel void f(device uint* a [[buffer(0)]])
{
    Word w;
    w.u = 0x12345678;
    a[0] = w.bytes[0];
    a[1] = w.bytes[3];
    w.bytes[2] = 0xff;
    a[2] = w.u;
}
