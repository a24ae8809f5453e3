// A struct in a struct keeps its own alignment and size: uchar, then 8 bytes of Inner at 4, then a uchar at 12.
// bind 1 uchar 1 0 0 0 2 0 0 0 3 0 0 0 4 0 0 0
// want 0 uint 1 2 3 4 16
#include <metal_stdlib>
using namespace metal;

struct Inner {
    uint x;
    uchar y;
};
struct Outer {
    uchar before;
    Inner inner;
    uchar after;
};
kernel void f(device uint* a [[buffer(0)]], device const Outer* o [[buffer(1)]])
{
    a[0] = o->before;
    a[1] = o->inner.x;
    a[2] = o->inner.y;
    a[3] = o->after;
    a[4] = sizeof(Outer);
}
