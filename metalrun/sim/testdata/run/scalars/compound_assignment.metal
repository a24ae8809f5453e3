// Each compound assignment works on the result of the one before.
// want 0 int 105 95 285 71 21 168 84 84 87 168
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int x = 100;
    a[0] = x += 5;
    a[1] = x -= 10;
    a[2] = x *= 3;
    a[3] = x /= 4;
    a[4] = x %= 50;
    a[5] = x <<= 3;
    a[6] = x >>= 1;
    a[7] = x &= 0x5c;
    a[8] = x |= 3;
    a[9] = x ^= 0xff;
}
