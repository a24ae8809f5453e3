// Elements of one byte lie side by side and wrap on their own.
// want 0 uint 0x04030201 0x04030200 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]])
{
    uchar v[4] = {1, 2, 3, 4};
    a[0] = v[0] | v[1] << 8 | v[2] << 16 | v[3] << 24;
    v[0] += 255;
    a[1] = v[0] | v[1] << 8 | v[2] << 16 | v[3] << 24;
    a[2] = sizeof(v);
}
