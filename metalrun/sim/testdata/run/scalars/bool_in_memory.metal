// A bool takes one byte, 0 or 1.
// bind 1 uchar 1 0
// want 0 uchar 1 1 0 0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device bool* a [[buffer(0)]], device const bool* b [[buffer(1)]])
{
    int n = 7;
    a[0] = n > 2;
    a[1] = n;
    a[2] = 0;
    a[3] = !b[0];
    a[4] = b[0] && !b[1];
}
