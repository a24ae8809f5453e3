// Saturation, truncation and NaN side by side in one vector of threads.
// dispatch threads=8 per=8
// bind 1 float 0.99 -0.99 nan inf -inf 2147483648 -2147483904 16777217
// want 0 int 0 0 0 2147483647 -2147483648 2147483647 -2147483648 16777216
// want 2 uchar 0 0 0 255 0 255 0 255
// want 3 long 0 0 0 9223372036854775807 -9223372036854775808 2147483648 -2147483904 16777216
// find 15:17 wrong undefined out of the range
// find 16:19 wrong undefined out of the range
// find 17:18 wrong undefined out of the range
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const float* x [[buffer(1)]], device uchar* b [[buffer(2)]], device long* c [[buffer(3)]], uint i [[thread_position_in_grid]])
{
    a[i] = int(x[i]);
    b[i] = uchar(x[i]);
    c[i] = long(x[i]);
}
