// uint arithmetic is modulo 2^32.
// bind 1 uint 0 4000000000 65536 5
// want 0 uint 4294967295 705032704 65536 4294967291
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], device const uint* x [[buffer(1)]])
{
    a[0] = x[0] - 1;
    a[1] = x[1] + 1000000000;
    a[2] = x[2] * (x[2] + 1);
    a[3] = -x[3];
}
