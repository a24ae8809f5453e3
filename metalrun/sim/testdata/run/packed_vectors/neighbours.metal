// A store of three bytes leaves its neighbours alone.
// bind 0 uchar 9 x9
// want 0 uchar 9 9 9 1 2 3 9 9 9
#include <metal_stdlib>
using namespace metal;

kernel void f(device packed_uchar3* a [[buffer(0)]])
{
    a[1] = packed_uchar3(1, 2, 3);
}
