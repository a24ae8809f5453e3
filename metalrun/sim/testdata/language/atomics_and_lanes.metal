// Atomic objects, simdgroup functions of a single lane, and barriers.
#include <metal_stdlib>
using namespace metal;

// want uint 8 5 8
kernel void additions(device uint *out [[buffer(0)]]) { device atomic_uint *a = (device atomic_uint *)out; out[0] = 5; uint old = atomic_fetch_add_explicit(a, 3u, memory_order_relaxed); out[1] = old; out[2] = atomic_load_explicit(a, memory_order_relaxed); }
// want int -3 4 -7
kernel void minima(device int *out [[buffer(0)]]) { device atomic_int *a = (device atomic_int *)out; out[0] = 4; out[1] = atomic_fetch_min_explicit(a, -3, memory_order_relaxed); out[2] = atomic_fetch_max_explicit(a, -5, memory_order_relaxed) - 4; }
// want uint 6 12 14
kernel void bits(device uint *out [[buffer(0)]]) { device atomic_uint *a = (device atomic_uint *)out; out[0] = 12; out[1] = atomic_fetch_or_explicit(a, 2u, memory_order_relaxed); out[2] = atomic_fetch_and_explicit(a, 7u, memory_order_relaxed); }
// want uint 9 12 5
kernel void exclusive_or_and_exchange(device uint *out [[buffer(0)]]) { device atomic_uint *a = (device atomic_uint *)out; out[0] = 12; out[1] = atomic_fetch_xor_explicit(a, 9u, memory_order_relaxed); out[2] = atomic_exchange_explicit(a, 9u, memory_order_relaxed); }
// want uint 7 1 0 7
kernel void compare_exchange(device uint *out [[buffer(0)]]) { device atomic_uint *a = (device atomic_uint *)out; out[0] = 5; uint e = 5; bool first = atomic_compare_exchange_weak_explicit(a, &e, 7u, memory_order_relaxed, memory_order_relaxed); uint w = 5; bool second = atomic_compare_exchange_weak_explicit(a, &w, 9u, memory_order_relaxed, memory_order_relaxed); out[1] = first; out[2] = second; out[3] = w; }
// want float 3.5 1.5
kernel void float_atomics(device float *out [[buffer(0)]]) { device atomic_float *a = (device atomic_float *)out; out[0] = 1.5f; out[1] = atomic_fetch_add_explicit(a, 2.0f, memory_order_relaxed); }
// want int 12
kernel void threadgroup_atomics(device int *out [[buffer(0)]]) { threadgroup atomic_int t; atomic_store_explicit(&t, 10, memory_order_relaxed); atomic_fetch_add_explicit(&t, 2, memory_order_relaxed); threadgroup_barrier(mem_flags::mem_threadgroup); out[0] = atomic_load_explicit(&t, memory_order_relaxed); }
template <typename T> T bump(device atomic<T> *a, T by) { return atomic_fetch_add_explicit(a, by, memory_order_relaxed) + by; }
// want int 4 4
kernel void generic_atomics(device int *out [[buffer(0)]]) { out[0] = 1; out[1] = bump((device atomic_int *)out, 3); }
struct Counters { atomic_uint hits; uint other; };
// want uint 2 6
kernel void atomic_members(device Counters &c [[buffer(0)]]) { atomic_store_explicit(&c.hits, 1u, memory_order_relaxed); c.other = 6; atomic_fetch_add_explicit(&c.hits, 1u, memory_order_relaxed); }
// want uint 3 4
kernel void spelled_atomic(device uint *out [[buffer(0)]]) { device _atomic<uint> *a = (device _atomic<uint> *)out; volatile device metal::atomic<uint> *b = a; out[0] = 1; atomic_fetch_add_explicit(b, 2u, memory_order_relaxed); out[1] = 4; }
// want float 5 5 5 5
kernel void reductions_of_one_lane(device float *out [[buffer(0)]]) { out[0] = simd_sum(5.0f); out[1] = simd_max(5.0f); out[2] = simd_min(5.0f); out[3] = simd_product(5.0f); }
// want float 0 7 1
kernel void prefixes_of_one_lane(device float *out [[buffer(0)]]) { out[0] = simd_prefix_exclusive_sum(7.0f); out[1] = simd_prefix_inclusive_sum(7.0f); out[2] = simd_prefix_exclusive_product(3.0f); }
// want int 3 1 1 0
kernel void votes(device int *out [[buffer(0)]]) { out[0] = simd_broadcast(3, 0); out[1] = simd_all(true); out[2] = simd_any(true); out[3] = simd_any(false); }
// want int 1 9 1
kernel void first_lane(device int *out [[buffer(0)]]) { out[0] = simd_is_first(); out[1] = simd_broadcast_first(9); out[2] = int(ulong(simd_active_threads_mask())); }
// want int 6 6
kernel void quads_of_one_lane(device int *out [[buffer(0)]]) { out[0] = quad_sum(6); out[1] = quad_broadcast(6, 0); }
