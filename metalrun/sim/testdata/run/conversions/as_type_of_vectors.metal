// The first component takes the lowest bits.
// want 0 float 1 2
// want 1 uchar 1 2 3 4
// want 2 ulong 8589934593
// want 3 uint 0x3f800000 0x40000000 0x3f000000 0xbf800000
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device uchar4* b [[buffer(1)]], device ulong* c [[buffer(2)]], device uint4* d [[buffer(3)]])
{
    uint two = 0x40003c00, bytes = 0x04030201;
    half2 h = as_type<half2>(two);
    a[0] = h.x;
    a[1] = h.y;
    b[0] = as_type<uchar4>(bytes);
    c[0] = as_type<ulong>(uint2(1, 2));
    d[0] = as_type<uint4>(float4(1, 2, 0.5f, -1));
}
