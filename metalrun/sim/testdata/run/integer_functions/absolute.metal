// |x| of the smallest int is itself; differences have the unsigned type and do not overflow.
// bind 1 int -5 -2147483648 2147483647
// want 0 int 5 -2147483648 2147483647
// want 2 uint 4294967295 5 247 255
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]], device uint* b [[buffer(2)]])
{
    a[0] = abs(x[0]);
    a[1] = abs(x[1]);
    a[2] = abs(x[2]);
    b[0] = absdiff(x[1], x[2]);
    b[1] = absdiff(10, 15);
    b[2] = absdiff(uchar(3), uchar(250));
    b[3] = absdiff(char(-128), char(127));
}
