// (2^24+1)*2^32 + 1 is just above a tie: it rises, though a double would drop the 1 and then fall.
// bind 1 ulong 0x0100000100000001 0x0100000100000000
// want 0 float 0x1.000002p56 0x1p56 -0x1.000002p56
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const ulong* x [[buffer(1)]])
{
    a[0] = float(x[0]);
    a[1] = float(x[1]);
    a[2] = float(-long(x[0]));
}
