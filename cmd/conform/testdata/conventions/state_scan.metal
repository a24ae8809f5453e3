#include <metal_stdlib>
using namespace metal;

// A recurrence; the state of a channel lies across a threadgroup, behind the outputs of the same buffer.
struct StateScan { int d_state, d_inner, n_tokens, n_seqs; long state_offset; };
kernel void state_scan(constant StateScan &p [[buffer(0)]], device const float *s0 [[buffer(1)]], device const float *x [[buffer(2)]], device const float *b [[buffer(3)]],
                       device const float *c [[buffer(4)]], device float *dst [[buffer(5)]], uint3 group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    const int channel = group.x, seq = group.y;
    device float *final_state = (device float *)((device char *)dst + p.state_offset) + (seq * p.d_inner + channel) * p.d_state;
    for (int i = lane; i < p.d_state; i += 32) final_state[i] = s0[(seq * p.d_inner + channel) * p.d_state + i];
    for (int t = 0; t < p.n_tokens; t++) {
        float sum = 0;
        for (int i = lane; i < p.d_state; i += 32) {
            const float s = final_state[i] * 0.5f + x[(seq * p.n_tokens + t) * p.d_inner + channel] * b[(seq * p.n_tokens + t) * p.d_state + i];
            final_state[i] = s;
            sum += s * c[(seq * p.n_tokens + t) * p.d_state + i];
        }
        sum = simd_sum(sum);
        if (lane == 0) dst[(seq * p.n_tokens + (FAULT == 2 ? 0 : t)) * p.d_inner + (FAULT == 2 ? 0 : channel)] = sum;
    }
}
