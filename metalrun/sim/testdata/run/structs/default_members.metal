// Members with initialisers take them where none is given.
// want 0 int 3 7 1 7
#include <metal_stdlib>
using namespace metal;

struct Options {
    int depth = 3;
    int width = 7;
};
kernel void f(device int* a [[buffer(0)]])
{
    Options o;
    a[0] = o.depth;
    a[1] = o.width;
    Options p = {1};
    a[2] = p.depth;
    a[3] = p.width;
}
