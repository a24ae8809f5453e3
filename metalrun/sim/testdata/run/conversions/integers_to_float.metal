// Integers beyond 2^24 round to nearest, ties to even.
// bind 1 int 16777217 16777219 2147483647 -2147483648
// bind 2 uint 4294967295
// want 0 float 16777216 16777220 2147483648 -2147483648 4294967296
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const int* x [[buffer(1)]], device const uint* y [[buffer(2)]])
{
    for (int i = 0; i < 4; i++) {
        a[i] = float(x[i]);
    }
    a[4] = float(y[0]);
}
