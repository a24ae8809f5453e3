#include <metal_stdlib>
using namespace metal;

struct Pair { float a; int b; };
kernel void variables(device float* out [[buffer(0)]], uint tid [[thread_index_in_threadgroup]])
{
    threadgroup float tile[16][17];
    threadgroup Pair pairs[4];
    threadgroup int count;
    threadgroup float4 sum, other;
    threadgroup atomic_uint hits;
    if (tid == 0) { count = 0; atomic_store_explicit(&hits, 0u, memory_order_relaxed); }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    tile[tid & 15][tid >> 4] = out[tid];
    pairs[tid & 3] = {1.0f, 2};
    sum = other = float4(1);
    atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed);
    threadgroup float (*rows)[17] = tile;
    if (out[0] > 1) { threadgroup half late[8]; late[0] = rows[1][2]; out[1] = late[0]; }
    out[tid] = tile[0][tid & 15] + pairs[0].a + count + sum.x;
}
