// Constants computed from function constants.
// constant 0 int 6
// want 0 int 36 1 -6
#include <metal_stdlib>
using namespace metal;

constant int n [[function_constant(0)]];
constant int square = n * n;
constant bool even = n % 2 == 0;
constant int minus = even ? -n : n;
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = square;
    a[1] = even;
    a[2] = minus;
}
