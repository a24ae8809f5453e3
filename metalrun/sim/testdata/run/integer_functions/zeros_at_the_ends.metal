// Leading and trailing zeros count in the width of the type; for 0 they are the width.
// bind 1 uint 1 0 8 0x80000000
// want 0 int 31 32 7 15 63 0 3 32 8 40 31
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const uint* x [[buffer(1)]])
{
    a[0] = clz(x[0]);
    a[1] = clz(x[1]);
    a[2] = clz(uchar(x[0]));
    a[3] = clz(short(x[0]));
    a[4] = clz(ulong(x[0]));
    a[5] = clz(-1);
    a[6] = ctz(x[2]);
    a[7] = ctz(x[1]);
    a[8] = ctz(uchar(x[1]));
    a[9] = ctz(1ul << 40);
    a[10] = ctz(x[3]);
}
