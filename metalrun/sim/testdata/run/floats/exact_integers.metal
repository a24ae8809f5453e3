// Small integers through floats: every quotient by 8 times 8 comes back.
// dispatch threads=33 per=33
// want 0 int -16 -15 -14 -13 -12 -11 -10 -9 -8 -7 -6 -5 -4 -3 -2 -1 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float x = int(i) - 16;
    a[i] = int(x / 8 * 8);
}
