// A constant table inside of a function.
// dispatch threads=4 per=4
// want 0 int 1 10 100 1000
#include <metal_stdlib>
using namespace metal;

static int power_of_ten(uint n)
{
    constexpr int powers[] = {1, 10, 100, 1000};
    return powers[n];
}
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = power_of_ten(i);
}
