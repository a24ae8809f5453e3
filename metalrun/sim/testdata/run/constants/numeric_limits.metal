// Limits by type.
// want 0 long 127 -32768 4294967295 9223372036854775807
// want 1 float -0x1.fffffep127 0x1p-126 0x1p-23 inf
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device float* b [[buffer(1)]])
{
    a[0] = numeric_limits<char>::max();
    a[1] = numeric_limits<short>::min();
    a[2] = numeric_limits<uint>::max();
    a[3] = numeric_limits<long>::max();
    b[0] = numeric_limits<float>::lowest();
    b[1] = numeric_limits<float>::min();
    b[2] = numeric_limits<float>::epsilon();
    b[3] = numeric_limits<float>::infinity();
}
