// is_function_constant_defined tells which constants the host gave.
// constant 1 int 5
// want 0 int 0 1 40 5
#include <metal_stdlib>
using namespace metal;

constant int absent [[function_constant(0)]];
constant int present [[function_constant(1)]];
constant int first = is_function_constant_defined(absent) ? absent : 40;
constant int second = is_function_constant_defined(present) ? present : 50;
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = is_function_constant_defined(absent);
    a[1] = is_function_constant_defined(present);
    a[2] = first;
    a[3] = second;
}
