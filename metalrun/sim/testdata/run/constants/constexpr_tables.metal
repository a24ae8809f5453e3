// A table may be initialised by calls at compile time: triangle numbers.
// dispatch threads=5 per=5
// want 0 int 0 1 3 6 10
#include <metal_stdlib>
using namespace metal;

constexpr int triangle(int n)
{
    int s = 0;
    for (int i = 1; i <= n; i++) {
        s += i;
    }
    return s;
}
constant int table[5] = {triangle(0), triangle(1), triangle(2), triangle(3), triangle(4)};
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = table[i];
}
