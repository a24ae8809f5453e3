// Bits that leave at the top come in at the bottom; the count is taken modulo the width.
// bind 1 uint 0x80000001 1 33
// want 0 uint 3 3 3 1 0x80000000
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], device const uint* x [[buffer(1)]])
{
    a[0] = rotate(x[0], x[1]);
    a[1] = rotate(x[0], x[2]);
    a[2] = rotate(uchar(0x81), uchar(1));
    a[3] = rotate(2, -1);
    a[4] = rotate(x[1], 31u);
}
