#include <metal_stdlib>
using namespace metal;

// Rows written into a longer tensor, from where an argument says.
kernel void slice_update(device const float *update [[buffer(0)]], device float *cache [[buffer(1)]], constant uint &start [[buffer(2)]], constant uint &seq_len [[buffer(3)]],
                         constant uint &max_seq [[buffer(4)]], constant uint &head_dim [[buffer(5)]], uint3 gid [[thread_position_in_grid]]) {
    if (gid.x >= head_dim || gid.y >= seq_len) return;
    cache[(gid.z * max_seq + (FAULT == 2 ? 0 : start + gid.y)) * head_dim + gid.x] = update[(gid.z * seq_len + gid.y) * head_dim + gid.x];
}
