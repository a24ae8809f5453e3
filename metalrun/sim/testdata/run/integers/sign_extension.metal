// Widening depends on the type that is widened.
// want 0 ulong 4294967294 18446744073709551614 254 18446744073709551613 4294967295 18446744073709551615
#include <metal_stdlib>
using namespace metal;

kernel void f(device ulong* a [[buffer(0)]])
{
    char c = -2;
    uchar u = 254;
    short s = -3;
    uint w = 0xffffffff;
    int i = -1;
    a[0] = uint(c);
    a[1] = c;
    a[2] = int(u);
    a[3] = long(s);
    a[4] = long(w);
    a[5] = ulong(i);
}
