// Constants that follow from others need a value only when those have theirs: without them a
// divisor may be zero, and an index or a sum out of range.
// constant 0 uint 70
// constant 1 uint 16
// want 0 int 6 32 7 5
#include <metal_stdlib>
using namespace metal;

constant uint rows [[function_constant(0)]];
constant uint group [[function_constant(1)]];
constant uint tile = 2 * group;
constant uint rest = (rows % tile == 0) ? tile : rows % tile;
constant uint table[4] = {5, 6, 7, 8};
constant uint entry = table[group / 4 - 2];
constant int last = -2147483647 - 1 + int(group);
kernel void f(device int *a [[buffer(0)]])
{
    a[0] = rest;
    a[1] = tile;
    a[2] = entry;
    a[3] = last + 2147483637;
}
