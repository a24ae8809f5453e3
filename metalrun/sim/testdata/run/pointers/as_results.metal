// A function may return a pointer into what it was given.
// bind 0 int 1 2 3
// want 0 int 1 2 30
#include <metal_stdlib>
using namespace metal;

static device int* last(device int* p, uint n) { return p + n - 1; }
kernel void f(device int* a [[buffer(0)]])
{
    *last(a, 3) *= 10;
}
