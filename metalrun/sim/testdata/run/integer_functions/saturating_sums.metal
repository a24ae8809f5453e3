// Sums and differences stop at the ends of their type.
// bind 1 int 2147483647 -2147483648
// want 0 long 2147483647 -2147483648 0 127 -128 255 9223372036854775807 300
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device const int* x [[buffer(1)]])
{
    a[0] = addsat(x[0], 1);
    a[1] = subsat(x[1], 1);
    a[2] = subsat(0u, 1u);
    a[3] = addsat(char(100), char(100));
    a[4] = addsat(char(-100), char(-100));
    a[5] = addsat(uchar(200), uchar(100));
    a[6] = addsat(9223372036854775807L, 1L);
    a[7] = addsat(short(100), short(200));
}
