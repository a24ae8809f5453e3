// Values of several types, given by the host.
// constant 0 int -7
// constant 1 float 2.5
// constant 2 bool true
// constant 3 uint 4000000000
// want 0 float -7 2.5 1 4000000000
#include <metal_stdlib>
using namespace metal;

constant int number [[function_constant(0)]];
constant float factor [[function_constant(1)]];
constant bool flag [[function_constant(2)]];
constant uint large [[function_constant(3)]];
kernel void f(device float* a [[buffer(0)]])
{
    a[0] = number;
    a[1] = factor;
    a[2] = flag;
    a[3] = large;
}
