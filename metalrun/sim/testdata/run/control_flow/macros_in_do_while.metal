// A statement macro behaves like one statement in an if without braces.
// dispatch threads=2 per=2
// want 0 int 11 0
#include <metal_stdlib>
using namespace metal;

#define SET(x, v)   \
    do {            \
        x = v;      \
        x += 1;     \
    } while (0)
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int x = 0;
    if (i == 0)
        SET(x, 10);
    else
        x = 0;
    a[i] = x;
}
