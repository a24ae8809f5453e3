#include <metal_stdlib>
using namespace metal;

// Rows sorted by expert, with where each expert's begin.
kernel void moe_gather(device const float *x [[buffer(0)]], device const float *w [[buffer(1)]], device const int *expert_offsets [[buffer(2)]],
                       device const int *sorted_tokens [[buffer(3)]], device float *y [[buffer(4)]], constant int &in_dim [[buffer(5)]], constant int &out_dim [[buffer(6)]],
                       uint2 group [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
    const uint threads = size.x;
    const int expert = group.y, first = group.x * 16;
    for (int i = expert_offsets[expert]; i < expert_offsets[expert + 1]; i++) {
        const int token = sorted_tokens[i];
        for (int o = first + t; o < min(first + 16, out_dim); o += threads) {
            float sum = 0;
            for (int k = 0; k < in_dim; k++) sum += x[token * in_dim + k] * w[(expert * out_dim + o) * in_dim + k];
            y[(FAULT == 2 ? i / 2 : i) * out_dim + o] = sum;
        }
    }
}
