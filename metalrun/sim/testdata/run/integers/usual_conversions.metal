// int with long is long, int with uint is uint, long with ulong is ulong.
// want 0 long 2147483648 4294967295 -1 9223372036854775807
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]])
{
    int top = 2147483647, minus = -6;
    a[0] = top + 1L;
    a[1] = 5u + minus;
    a[2] = 5L + minus;
    a[3] = (1UL - 2L) / 2;
}
