#include <metal_stdlib>
using namespace metal;

// Each thread keeps its best few, and they are merged through threadgroup memory.
kernel void top_k_merge(device const float *logits [[buffer(0)]], device float *values [[buffer(1)]], device uint *ids [[buffer(2)]], constant uint &vocab [[buffer(3)]],
                        constant uint &k [[buffer(4)]], uint row [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
    threadgroup float best[64 * 8];
    threadgroup uint where[64 * 8];
    float own[8];
    uint at[8];
    for (uint j = 0; j < 8; j++) { own[j] = -MAXFLOAT; at[j] = 0; }
    for (uint i = t; i < vocab; i += 64) {
        const float x = logits[row * vocab + i];
        for (uint j = 0; j < 8; j++) {
            if (x <= own[j]) continue;
            for (uint l = 7; l > j; l--) { own[l] = own[l - 1]; at[l] = at[l - 1]; }
            own[j] = x;
            at[j] = i;
            break;
        }
    }
    for (uint j = 0; j < 8; j++) { best[t * 8 + j] = own[j]; where[t * 8 + j] = at[j]; }
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 0) {
        for (uint j = 0; j < min(k, 8u); j++) {
            uint m = 0;
            for (uint i = 1; i < 64 * 8; i++) m = best[i] > best[m] ? i : m;
            values[row * k + j] = best[m];
            ids[(FAULT == 2 ? 0 : row * k) + j] = where[m];
            best[m] = -MAXFLOAT;
        }
    }
}
