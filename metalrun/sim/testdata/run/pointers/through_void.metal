// A pointer to void keeps the address.
// bind 1 uint 7 0x40000000
// want 0 uint 7
// want 2 float 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], device const uint* x [[buffer(1)]], device float* b [[buffer(2)]])
{
    device const void* p = x;
    a[0] = *(device const uint*)p;
    p = x + 1;
    b[0] = *static_cast<device const float*>(p);
}
