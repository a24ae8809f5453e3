// -> reaches members, & gives the address of a member.
// bind 0 int 1 2 3 4
// want 0 int 1 20 33 4
#include <metal_stdlib>
using namespace metal;

struct Pair {
    int x, y;
};
kernel void f(device Pair* p [[buffer(0)]])
{
    device Pair* second = p + 1;
    device int* y = &p->y;
    *y = 20;
    second->x = 33;
    (*second).y = second[0].y;
}
