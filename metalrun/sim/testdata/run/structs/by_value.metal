// Functions take and return structs by value.
// want 0 float 4 3 3 4
#include <metal_stdlib>
using namespace metal;

struct Pair {
    float x, y;
};
static Pair swapped(Pair p)
{
    float t = p.x;
    p.x = p.y;
    p.y = t;
    return p;
}
kernel void f(device Pair* a [[buffer(0)]])
{
    Pair p = {3, 4};
    a[0] = swapped(p);
    a[1] = p;
}
