// Each number takes the first arm that fits.
// dispatch threads=6 per=6
// want 0 int 0 0 10 10 20 30
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (i < 2)
        a[i] = 0;
    else if (i < 4)
        a[i] = 10;
    else if (i == 4)
        a[i] = 20;
    else
        a[i] = 30;
}
