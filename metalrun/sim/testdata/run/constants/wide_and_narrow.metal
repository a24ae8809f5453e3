// Constants are converted to their types: 300 as uchar is 44, 2^40 needs long, 1/3 as half is 0x3555.
// want 0 long 44 1099511627776 -1
// want 1 half bits:3555
#include <metal_stdlib>
using namespace metal;

constant uchar narrow = uchar(300);
constant long wide = 1L << 40;
constant char minus = char(255);
constant half third = 1.0h / 3.0h;
kernel void f(device long* a [[buffer(0)]], device half* b [[buffer(1)]])
{
    a[0] = narrow;
    a[1] = wide;
    a[2] = minus;
    b[0] = third;
}
