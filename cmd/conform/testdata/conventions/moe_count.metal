#include <metal_stdlib>
using namespace metal;

// Tokens of each expert, counted in threadgroup memory.
kernel void moe_count(device const uint *expert_ids [[buffer(0)]], device atomic_uint *counts [[buffer(1)]], constant uint &num_tokens [[buffer(2)]],
                      constant uint &num_experts [[buffer(3)]], uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                      uint threads [[threads_per_threadgroup]], uint all [[threads_per_grid]]) {
    threadgroup atomic_uint local[256];
    threadgroup uint seen[1024];
    for (uint e = t; e < num_experts; e += threads) atomic_store_explicit(&local[e], 0, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = i; j < num_tokens; j += all) {
        if (expert_ids[j] < num_experts) atomic_fetch_add_explicit(&local[expert_ids[j]], 1, memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint e = t; e < num_experts; e += threads)
        atomic_fetch_add_explicit(&counts[e], atomic_load_explicit(&local[e], memory_order_relaxed), memory_order_relaxed);
}
