// The same 8 bytes as two uints and as four ushorts.
// want 0 uint 0x0002 0x0001 0x0004 0x0003
#include <metal_stdlib>
using namespace metal;

struct Words {
    uint low, high;
};
struct Halves {
    ushort a, b, c, d;
};
union Either {
    Words words;
    Halves halves;
};
kernel void f(device uint* a [[buffer(0)]])
{
    Either e;
    e.words.low = 0x00010002;
    e.words.high = 0x00030004;
    a[0] = e.halves.a;
    a[1] = e.halves.b;
    a[2] = e.halves.c;
    a[3] = e.halves.d;
}
