#include <metal_stdlib>
using namespace metal;

// The largest of few gates, one token to a threadgroup.
struct Route { uint num_tokens, num_experts, top_k; };
kernel void moe_route(device const float *logits [[buffer(0)]], device float *weights [[buffer(1)]], device uint *ids [[buffer(2)]], constant Route &p [[buffer(3)]],
                      uint token [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint threads [[threads_per_threadgroup]]) {
    threadgroup float gates[512];
    if (token >= p.num_tokens) return;
    for (uint e = t; e < p.num_experts; e += threads) gates[e] = exp(logits[token * p.num_experts + e]);
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 0) {
        for (uint k = 0; k < p.top_k; k++) {
            uint best = 0;
            for (uint e = 1; e < p.num_experts; e++) best = gates[e] > gates[best] ? e : best;
            weights[(FAULT == 2 ? 0 : token * p.top_k) + k] = gates[best];
            ids[token * p.top_k + k] = best;
            gates[best] = -1;
        }
    }
}
