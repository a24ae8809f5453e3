// The names that the library's own headers use: __metal_NAME with an accuracy, and functions of clang.
// want 0 float 3 2 5 6 3 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    a[0] = __metal_fabs(-3.0f, __METAL_PRECISE_MATH__);
    a[1] = __metal_sqrt(4.0f, __METAL_MAYBE_FAST_MATH__);
    a[2] = __metal_fma(1.0f, 2.0f, 3.0f);
    a[3] = __metal_fmax(6.0f, 1.0f, __METAL_FAST_MATH__);
    a[4] = float(__builtin_ctz(8u));
    a[5] = float(__builtin_popcount(0xf0));
}
