// A reference is another name of its variable.
// want 0 int 7 8 8
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int x = 1;
    thread int& r = x;
    r = 7;
    a[0] = x;
    x++;
    a[1] = r;
    int copy = r;
    r = 0;
    a[2] = copy;
}
