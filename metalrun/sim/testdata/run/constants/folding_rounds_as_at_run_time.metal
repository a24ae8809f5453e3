// 0.1f + 0.2f folded and computed are the same float; so are halves.
// bind 1 float 0.1 0.2
// want 0 float 0 0x1.99999ap-2
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    constexpr float folded = 0.1f + 0.2f;
    a[0] = folded - (x[0] + x[1]);
    a[1] = folded + 0.1f;
}
