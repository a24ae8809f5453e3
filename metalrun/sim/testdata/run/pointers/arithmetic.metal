// Pointers move by elements.
// bind 1 int 10 11 12 13 14
// want 0 int 12 11 11 14 10
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]])
{
    device const int* p = x + 2;
    a[0] = *p;
    --p;
    a[1] = *p++;
    a[2] = p[-1];
    p += 2;
    a[3] = *p;
    a[4] = *(p - 4);
}
