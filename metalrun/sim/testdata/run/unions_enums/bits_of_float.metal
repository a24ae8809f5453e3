// Members of a union share their bytes: 1 is 0x3f800000; with the sign bit it is -1.
// want 0 uint 0x3f800000
// want 1 float -1
#include <metal_stdlib>
using namespace metal;

union Word {
    float f;
    uint u;
};
kernel void f(device uint* a [[buffer(0)]], device float* b [[buffer(1)]])
{
    Word w;
    w.f = 1;
    a[0] = w.u;
    w.u |= 0x80000000;
    b[0] = w.f;
}
