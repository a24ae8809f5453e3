// By default subnormal operands and results count: 2^-127 * 2^10, 2^-126 / 2, 2^-127 + 2^-127.
// bind 1 float 0x1p-127 0x1p-126
// want 0 float 0x1p-117 0x1p-127 0x1p-126
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = x[0] * 1024;
    a[1] = x[1] * 0.5f;
    a[2] = x[0] + x[0];
}
