// Pragmas for unrolling and floating-point modes do not change results that are exact.
// want 0 float 45 10
#include <metal_stdlib>
using namespace metal;

#pragma METAL fp math_mode(safe)
kernel void f(device float* a [[buffer(0)]])
{
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 10; i++) {
        sum += i;
    }
    a[0] = sum;
    sum = 0;
    _Pragma("clang loop unroll(full)")
    for (int i = 0; i < 5; i++) {
        sum += i;
    }
    a[1] = sum;
}
