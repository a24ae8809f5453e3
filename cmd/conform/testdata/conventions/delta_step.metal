#include <metal_stdlib>
using namespace metal;

// One step of a recurrence over matrices, a head to a threadgroup, with vectors in threadgroup memory.
struct DeltaShape { uint batch, heads, d_k, d_v; };
kernel void delta_step(device const float *q [[buffer(0)]], device const float *k [[buffer(1)]], device const float *v [[buffer(2)]], device const float *beta [[buffer(3)]],
                       device float *state [[buffer(4)]], device float *out [[buffer(5)]], constant DeltaShape &p [[buffer(6)]], uint2 group [[threadgroup_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
    const uint threads = size.x;
    threadgroup float sk[256], sq[256];
    const uint head = group.y * p.heads + group.x;
    for (uint i = t; i < p.d_k; i += threads) { sk[i] = k[head * p.d_k + i]; sq[i] = q[head * p.d_k + i]; }
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = t; j < p.d_v; j += threads) {
        device float *s = state + (head * p.d_v + (FAULT == 2 ? j / 2 : j)) * p.d_k;
        float sum = 0, result = 0;
        for (uint i = 0; i < p.d_k; i++) sum += s[i] * sk[i];
        for (uint i = 0; i < p.d_k; i++) {
            s[i] += beta[head] * (v[head * p.d_v + j] - sum) * sk[i];
            result += s[i] * sq[i];
        }
        out[head * p.d_v + j] = result;
    }
}
