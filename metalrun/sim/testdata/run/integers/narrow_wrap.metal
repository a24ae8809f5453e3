// A value that is stored in a narrow type keeps its low bits.
// want 0 int 4 -128 0 -32768
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    uchar b = 250;
    b += 10;
    char c = 127;
    c++;
    ushort s = 65535;
    s += 1;
    short t = 32767;
    ++t;
    a[0] = b;
    a[1] = c;
    a[2] = s;
    a[3] = t;
}
