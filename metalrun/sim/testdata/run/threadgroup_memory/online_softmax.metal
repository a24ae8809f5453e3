// Running maximum and rescaled sum over chunks: weights 1, 2, 4, 8 by exp2; 15/8 relative to the maximum.
// dispatch threads=1 per=1
// bind 1 float 0 1 2 3
// want 0 float 3 1.875
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    threadgroup float state[2];
    state[0] = -INFINITY;
    state[1] = 0;
    for (int k = 0; k < 4; k++) {
        float most = max(state[0], x[k]);
        state[1] = state[1] * exp2(state[0] - most) + exp2(x[k] - most);
        state[0] = most;
    }
    a[0] = state[0];
    a[1] = state[1];
}
