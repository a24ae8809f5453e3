#include <metal_stdlib>
using namespace metal;

// Rows that go where a list says, unless it says nowhere.
struct CacheShape { int num_heads, head_size, block_size, key_stride, value_stride; };
kernel void cache_slots(device const half *key [[buffer(0)]], device const half *value [[buffer(1)]], device half *key_cache [[buffer(2)]], device half *value_cache [[buffer(3)]],
                        device const long *slot_mapping [[buffer(4)]], constant CacheShape &p [[buffer(5)]], uint token [[threadgroup_position_in_grid]],
                        uint t [[thread_index_in_threadgroup]], uint threads [[threads_per_threadgroup]]) {
    const long slot = slot_mapping[token];
    if (slot < 0) return;
    const long block = slot / p.block_size, inside = slot % p.block_size;
    for (int i = t; i < p.num_heads * p.head_size; i += threads) {
        const long to = (block * p.block_size + (FAULT == 2 ? 0 : inside)) * p.num_heads * p.head_size + i;
        key_cache[to] = key[token * p.key_stride + i];
        value_cache[to] = value[token * p.value_stride + i];
    }
}
