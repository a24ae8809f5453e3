// h += float computes in float and rounds once: 1024 + 0.75 gives 1025, and twice 0.4 more gives nothing.
// want 0 half 1025 1025 2.5 1.5
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]])
{
    half h = 1024;
    h += 0.75f;
    a[0] = h;
    h += 0.4f;
    h += 0.4f;
    a[1] = h;
    half x = 1.5h;
    x++;
    a[2] = x;
    a[3] = --x;
}
