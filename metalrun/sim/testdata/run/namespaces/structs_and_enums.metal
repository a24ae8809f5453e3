// Types of a namespace, and their members.
// want 0 int 5 2 9
#include <metal_stdlib>
using namespace metal;

namespace shapes {
enum Kind { Point, Line, Area };
struct Box {
    int w, h;
    Kind kind;
    int area() const { return w * h; }
};
static Box square(int n) { return {n, n, Area}; }
}
kernel void f(device int* a [[buffer(0)]])
{
    shapes::Box b = {5, 1, shapes::Line};
    a[0] = b.area();
    b = shapes::square(3);
    a[1] = b.kind;
    a[2] = b.area();
}
