#include <metal_stdlib>
float f(float x) { return metal::exp(x) + metal::precise::sqrt(x) + metal::max(x, 1.0f); }
kernel void qualified(device float* out [[buffer(0)]], device metal::atomic_uint* a [[buffer(1)]])
{
    out[0] = f(out[1]) + metal::simd_sum(out[2]);
    metal::vec<float, 4> v = float4(1);
    metal::simdgroup_float8x8 m = metal::simdgroup_float8x8(1);
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    metal::atomic_fetch_add_explicit(a, 1u, metal::memory_order_relaxed);
    out[1] = v.x + m.thread_elements()[0];
}
