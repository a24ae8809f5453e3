#include <metal_stdlib>
using namespace metal;

float odd(float x);
static inline float even(float x) { return odd(x) + 1; }
float odd(float x) { return x * 2; }
inline void nothing() {}
__attribute__((always_inline)) float helper(float x) { return even(x); }
kernel void forward(device float* out [[buffer(0)]])
{
    nothing();
    out[0] = helper(1);
}
