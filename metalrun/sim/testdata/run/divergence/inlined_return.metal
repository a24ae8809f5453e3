// A function returns early for some threads; the caller goes on for all.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// want 0 int 101 101 112 113
#include <metal_stdlib>
using namespace metal;

static int clip(int x)
{
    if (x < 2) {
        return 1;
    }
    return x + 10;
}

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int x = clip(int(i));
    a[i] = x + 100;
}
