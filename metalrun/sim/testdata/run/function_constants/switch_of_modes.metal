// A constant mode selects an operation for each thread's value.
// dispatch threads=3 per=3
// constant 0 uint 2
// bind 1 float 4 9 16
// want 0 float 2 3 4
#include <metal_stdlib>
using namespace metal;

constant uint mode [[function_constant(0)]];
kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    switch (mode) {
    case 0:
        a[i] = x[i];
        break;
    case 1:
        a[i] = x[i] * x[i];
        break;
    case 2:
        a[i] = sqrt(x[i]);
        break;
    }
}
