// Component by component.
// want 0 int 1 2 3 4
// want 1 uint 0 1 2 32
#include <metal_stdlib>
using namespace metal;

kernel void f(device int4* a [[buffer(0)]], device uint4* b [[buffer(1)]])
{
    a[0] = abs(int4(1, -2, 3, -4));
    b[0] = ctz(uint4(1, 2, 4, 0));
}
