#include <metal_stdlib>
using namespace metal;

// Keys and values in pages that a table lists.
struct Paged { uint num_heads, num_kv_heads, head_dim, page_size, max_pages; float scale; };
kernel void paged_attention(device const float *q [[buffer(0)]], device const float *k_cache [[buffer(1)]], device const float *v_cache [[buffer(2)]],
                            device const int *block_tables [[buffer(3)]], device const int *context_lens [[buffer(4)]], device float *out [[buffer(5)]],
                            constant Paged &p [[buffer(6)]], uint2 group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
                            uint sg [[simdgroup_index_in_threadgroup]], uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]],
                            uint simdgroups [[simdgroups_per_threadgroup]]) {
    const uint threads = size.x;
    threadgroup float scores[1024];
    const uint head = group.x, seq = group.y;
    const uint kv_head = head / (p.num_heads / p.num_kv_heads);
    const int context = min(context_lens[seq], 1024);
    device const float *query = q + (seq * p.num_heads + head) * p.head_dim;
    for (int pos = sg; pos < context; pos += simdgroups) {
        const long page = block_tables[seq * p.max_pages + pos / p.page_size];
        device const float *key = k_cache + ((page * p.page_size + pos % p.page_size) * p.num_kv_heads + kv_head) * p.head_dim;
        float s = 0;
        for (uint i = lane; i < p.head_dim; i += 32) s += query[i] * key[i];
        s = simd_sum(s);
        if (lane == 0) scores[pos] = s * p.scale;
    }
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    float largest = -MAXFLOAT, sum = 0;
    for (int pos = 0; pos < context; pos++) largest = max(largest, scores[pos]);
    for (int pos = 0; pos < context; pos++) sum += exp(scores[pos] - largest);
    for (uint i = t; i < p.head_dim; i += threads) {
        float acc = 0;
        for (int pos = 0; pos < context; pos++) {
            const long page = block_tables[seq * p.max_pages + pos / p.page_size];
            acc += exp(scores[pos] - largest) * v_cache[((page * p.page_size + pos % p.page_size) * p.num_kv_heads + kv_head) * p.head_dim + i];
        }
        out[((FAULT == 2 ? 0 : seq) * p.num_heads + head) * p.head_dim + i] = acc / sum;
    }
}
