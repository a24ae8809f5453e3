// Threads return early from a function that writes through a reference.
// dispatch threads=4 per=4
// want 0 int 1 2 13 14
#include <metal_stdlib>
using namespace metal;

static void raise(thread int& x, uint i)
{
    x++;
    if (i < 2) {
        return;
    }
    x += 10;
}
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int x = i;
    raise(x, i);
    a[i] = x;
}
