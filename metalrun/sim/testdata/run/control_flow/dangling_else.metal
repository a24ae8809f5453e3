// An else belongs to the nearest if.
// dispatch threads=4 per=4
// want 0 int 1 2 0 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = 0;
    if (i < 2)
        if (i == 0)
            a[i] = 1;
        else
            a[i] = 2;
}
