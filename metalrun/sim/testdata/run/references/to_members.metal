// References to a struct and to its members.
// want 0 int 11 22 33
#include <metal_stdlib>
using namespace metal;

struct Pair {
    int x, y;
};
static void raise(thread Pair& p) { p.x += 10; }
kernel void f(device int* a [[buffer(0)]])
{
    Pair p = {1, 2};
    raise(p);
    a[0] = p.x;
    thread int& y = p.y;
    y += 20;
    a[1] = p.y;
    thread Pair& q = p;
    a[2] = q.x + q.y;
}
