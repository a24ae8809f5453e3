// Suffixes h and H; the value is rounded to half: 0.1 becomes 0x2e66.
// want 0 half 1.5 0.25 bits:2e66 -3
// want 1 uint 2 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device uint* b [[buffer(1)]])
{
    a[0] = 1.5h;
    a[1] = 0x1p-2H;
    a[2] = 0.1h;
    a[3] = -3.0h;
    b[0] = sizeof(1.5h);
    b[1] = sizeof(1.5h * 2);
}
