// Two arguments may share an index if their conditions exclude each other.
// constant 0 bool true
// bind 1 half 1.5
// want 0 float 1.5
#include <metal_stdlib>
using namespace metal;

constant bool is_half [[function_constant(0)]];
constant bool is_float = !is_half;
kernel void f(device float* a [[buffer(0)]], device const half* h [[buffer(1), function_constant(is_half)]],
              device const float* x [[buffer(1), function_constant(is_float)]])
{
    if (is_half) {
        a[0] = h[0];
    } else {
        a[0] = x[0];
    }
}
