// Stores of narrow types through a cast pointer change only their bytes.
// bind 0 uint 0 0xffffffff
// want 0 uint 0x3c00aa00 0xff00ffff
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]])
{
    device uchar* bytes = (device uchar*)a;
    device half* halves = (device half*)a;
    bytes[1] = 0xaa;
    halves[1] = 1;
    bytes[6] = 0;
}
