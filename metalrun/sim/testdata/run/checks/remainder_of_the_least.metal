// The remainder of the least long by -1.
// bind 1 long -9223372036854775808 -1
// bind 0 int 0 x64
// find 10:19 wrong undefined division
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* out [[buffer(0)]], device const long* x [[buffer(1)]])
{
    out[0] = x[0] % x[1];
}
