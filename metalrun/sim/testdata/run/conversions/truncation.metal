// Floats lose their fraction, toward zero.
// bind 1 float 2.9 -2.9 3.99 -0.5
// want 0 int 2 -2 3 0 -2
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    for (int i = 0; i < 4; i++) {
        a[i] = int(x[i]);
    }
    a[4] = char(x[1]);
}
