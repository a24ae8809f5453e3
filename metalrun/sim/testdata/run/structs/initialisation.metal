// What an initialiser leaves out is zero; inner braces may be left out.
// want 0 int 1 2 3 4 0 5 0 0 0 0
#include <metal_stdlib>
using namespace metal;

struct Point {
    int x, y;
};
struct Line {
    Point from, to;
    int width;
};
kernel void f(device int* a [[buffer(0)]])
{
    Line l = {{1, 2}, {3, 4}};
    Line m = {5};
    Line n = {1, 2, 3, 4, 5};
    a[0] = l.from.x;
    a[1] = l.from.y;
    a[2] = l.to.x;
    a[3] = l.to.y;
    a[4] = l.width;
    a[5] = n.width;
    a[6] = m.from.y;
    a[7] = m.to.x;
    Line zero = {};
    a[8] = zero.from.x;
    a[9] = zero.width;
}
