// A bound and a step of a loop.
// constant 1 uint 10
// constant 2 uint 3
// want 0 uint 18
#include <metal_stdlib>
using namespace metal;

constant uint limit [[function_constant(1)]];
constant uint stride [[function_constant(2)]];
kernel void f(device uint* a [[buffer(0)]])
{
    uint sum = 0;
    for (uint i = 0; i < limit; i += stride) {
        sum += i;
    }
    a[0] = sum;
}
