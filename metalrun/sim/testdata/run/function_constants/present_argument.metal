// The same kernel with the condition true reads the argument.
// dispatch threads=2 per=2
// constant 0 bool true
// bind 1 int 5 6
// bind 2 int 100 200
// want 0 int 105 206
#include <metal_stdlib>
using namespace metal;

constant bool has_bias [[function_constant(0)]];
kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]], device const int* bias [[buffer(2), function_constant(has_bias)]], uint i [[thread_position_in_grid]])
{
    a[i] = x[i];
    if (has_bias) {
        a[i] += bias[i];
    }
}
