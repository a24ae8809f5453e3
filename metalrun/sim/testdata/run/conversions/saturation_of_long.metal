// 1e19 lies between 2^63 and 2^64, 2e19 above both.
// bind 2 float 1e19 2e19 -1e19 inf -inf
// want 0 long 9223372036854775807 -9223372036854775808 9223372036854775807 -9223372036854775808
// want 1 ulong 18446744073709551615 0 9999999980506447872
// find 16:18 wrong undefined out of the range
// find 17:18 wrong undefined out of the range
// find 18:18 wrong undefined out of the range
// find 19:18 wrong undefined out of the range
// find 20:19 wrong undefined out of the range
// find 21:19 wrong undefined out of the range
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device ulong* b [[buffer(1)]], device const float* x [[buffer(2)]])
{
    a[0] = long(x[0]);
    a[1] = long(x[2]);
    a[2] = long(x[3]);
    a[3] = long(x[4]);
    b[0] = ulong(x[1]);
    b[1] = ulong(x[2]);
    b[2] = ulong(x[0]);
}
