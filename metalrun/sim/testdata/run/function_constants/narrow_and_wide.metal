// ushort, ulong and half constants.
// constant 5 ushort 65535
// constant 6 ulong 1099511627776
// constant 7 half 1.5
// want 0 ulong 65535 1099511627776
// want 1 half 3
#include <metal_stdlib>
using namespace metal;

constant ushort small [[function_constant(5)]];
constant ulong wide [[function_constant(6)]];
constant half h [[function_constant(7)]];
kernel void f(device ulong* a [[buffer(0)]], device half* b [[buffer(1)]])
{
    a[0] = small;
    a[1] = wide;
    b[0] = h * 2;
}
