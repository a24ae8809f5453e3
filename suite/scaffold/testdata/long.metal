#include <metal_stdlib>
using namespace metal;

// A thread of each threadgroup takes its time.
kernel void long_sum(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], uint group [[threadgroup_position_in_grid]],
    uint lane [[thread_index_in_threadgroup]]) {
    float sum = 0;
    for (uint i = 0; i < 2000; i++) {
        sum += x[i & 15];
    }
    if (lane == 0) {
        y[group] = sum;
    }
}
