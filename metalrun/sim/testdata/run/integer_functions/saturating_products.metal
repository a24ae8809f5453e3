// a*b + c in unlimited width, then cut to the range.
// bind 1 int 65536 -65536
// want 0 long 2147483647 -2147483648 10 4294967295 127 -2147483648
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device const int* x [[buffer(1)]])
{
    a[0] = madsat(x[0], x[0], 1);
    a[1] = madsat(x[0], x[1], 1);
    a[2] = madsat(2, 3, 4);
    a[3] = madsat(uint(x[0]), 65536u, 0u);
    a[4] = madsat(char(16), char(8), char(-1));
    a[5] = madsat(x[0], -32768, 0);
}
