// Without a using directive the library's functions are found by the types of arguments that are of namespace metal.
#include <metal_stdlib>

// want uint 7 12
kernel void atomics(device uint *out [[buffer(0)]]) { device metal::atomic_uint *p = (device metal::atomic_uint *)out; atomic_store_explicit(p, 7u, metal::memory_order_relaxed); out[0] = atomic_fetch_add_explicit(p, 5u, metal::memory_order_relaxed); out[1] = 12; }
// want int 3
kernel void barriers(device int *out [[buffer(0)]]) { threadgroup int t; t = 3; threadgroup_barrier(metal::mem_flags::mem_threadgroup); simdgroup_barrier(metal::mem_flags::mem_none); out[0] = t; }
// want float 4 3
kernel void matrices(device float *out [[buffer(0)]]) { metal::float2x2 m = metal::float2x2(1, 2, 3, 4); out[0] = transpose(m)[1][1]; out[1] = transpose(m)[0][1]; }
// want float 6
kernel void qualified(device float *out [[buffer(0)]]) { out[0] = metal::max(6.0f, metal::abs(-2.0f)); }
namespace mine { struct S { int x; }; int max(S a, S b) { return a.x > b.x ? a.x : b.x; } }
// want int 8
kernel void own_namespace(device int *out [[buffer(0)]]) { out[0] = max(mine::S{8}, mine::S{2}); }
using metal::min;
// want int 2
kernel void using_declaration(device int *out [[buffer(0)]]) { out[0] = min(2, 3); }
