// 200 as char is -56, which as uint is 2^32 - 56; 0.1 through half is 1638/16384.
// bind 1 int 200
// bind 2 float 0.1
// want 0 uint 4294967240 200
// want 3 float 0.0999755859375
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], device const int* x [[buffer(1)]], device const float* y [[buffer(2)]], device float* b [[buffer(3)]])
{
    a[0] = uint(char(x[0]));
    a[1] = uint(uchar(x[0]));
    b[0] = float(half(y[0]));
}
