#include <metal_stdlib>
using namespace metal;

kernel void select_pointer(device float* a [[buffer(0)]], device const float* b [[buffer(1)]], constant uint& which [[buffer(2)]])
{
    device const float* p = which ? a : b;
    a[0] = p[1];
    device float* q = which > 1 ? a : nullptr;
    if (q) *q = 1;
    a[1] = (which ? a[2] : b[2]);
    (which ? a[3] : a[4]) = 5;
}
