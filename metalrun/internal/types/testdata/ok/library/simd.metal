#include <metal_stdlib>
using namespace metal;

kernel void simd(device float* f [[buffer(0)]], device uint* u [[buffer(1)]], device float4* v [[buffer(2)]], ushort lane [[thread_index_in_simdgroup]])
{
    f[0] = simd_sum(f[1]) + simd_max(f[2]) + simd_product(f[3]) + simd_prefix_exclusive_sum(f[4]);
    u[0] = simd_and(u[1]) | simd_or(u[2]) ^ simd_xor(u[3]);
    f[1] = simd_shuffle(f[0], lane ^ 1) + simd_shuffle_xor(f[1], 4) + simd_shuffle_down(f[2], 2u) + simd_broadcast(f[3], 0) + simd_broadcast_first(f[4]);
    v[0] = simd_sum(v[1]) + simd_shuffle_up(v[2], 1) + simd_shuffle_rotate_down(v[3], 3);
    f[2] = simd_shuffle_and_fill_up(f[1], f[2], 1);
    bool b = simd_all(f[0] > 0) && simd_any(f[1] > 1) && simd_is_first();
    simd_vote vote = simd_ballot(b);
    ulong mask = (ulong)vote;
    simd_vote::vote_t bits = (simd_vote::vote_t)simd_active_threads_mask();
    u[4] = popcount(mask & bits) + vote.all() + vote.any();
    u[5] = quad_sum(u[0]) + quad_broadcast(u[1], 2) + quad_shuffle_xor(u[2], 1);
    simdgroup_barrier(mem_flags::mem_none);
    f[3] = simd_min(half(f[4])) + simd_sum(short(2));
}
