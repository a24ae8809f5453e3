// A reference to a pointer moves the caller's pointer.
// bind 1 int 4 5 6
// want 0 int 4 5 6
#include <metal_stdlib>
using namespace metal;

static int take(device const int* thread& p) { return *p++; }
kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]])
{
    device const int* p = x;
    a[0] = take(p);
    a[1] = take(p);
    a[2] = *p;
}
