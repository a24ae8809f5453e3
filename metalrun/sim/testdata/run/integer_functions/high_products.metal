// The upper half of the product in twice the width: 2^31*4 >> 32, -1 >> 32, 2^63*4 >> 64, 90000 >> 16, 10000 >> 8.
// bind 1 uint 0x80000000
// bind 2 ulong 0x8000000000000000
// want 0 long 2 -1 2 1 39 12
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device const uint* x [[buffer(1)]], device const ulong* y [[buffer(2)]])
{
    a[0] = mulhi(x[0], 4u);
    a[1] = mulhi(-1, 1);
    a[2] = mulhi(y[0], 4ul);
    a[3] = mulhi(short(300), short(300));
    a[4] = mulhi(char(100), char(100));
    a[5] = madhi(x[0], 4u, 10u);
}
