#include <metal_stdlib>
using namespace metal;

// Digits counted by each threadgroup into a table of bins and threadgroups.
kernel void histogram_pass(device const uint *keys [[buffer(0)]], device uint *table [[buffer(1)]], constant uint &n [[buffer(2)]], constant uint &shift [[buffer(3)]],
                           uint group [[threadgroup_position_in_grid]], uint groups [[threadgroups_per_grid]], uint t [[thread_position_in_threadgroup]],
                           uint threads [[threads_per_threadgroup]]) {
    threadgroup atomic_uint bins[16];
    if (t < 16) atomic_store_explicit(&bins[t], 0, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = group * threads + t; i < n; i += groups * threads) atomic_fetch_add_explicit(&bins[keys[i] >> shift & 15], 1, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < 16) table[t * (FAULT == 2 ? 1 : groups) + group] = atomic_load_explicit(&bins[t], memory_order_relaxed);
}
