// Calls of the library in the ways that programs write them.
#include <metal_stdlib>
using namespace metal;

kernel void barriers(device atomic_uint *counter [[buffer(0)]], device float *out [[buffer(1)]],
                     uint lane [[thread_index_in_simdgroup]]) {
    threadgroup atomic_int shared;
    threadgroup float scratch[64];
    atomic_store_explicit(&shared, 0, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
    simdgroup_barrier(metal::mem_flags::mem_none);
    metal::threadgroup_barrier(mem_flags::mem_threadgroup, thread_scope_threadgroup);
    constexpr mem_flags both = mem_flags::mem_device | mem_flags::mem_threadgroup;
    threadgroup_barrier(both);
    uint expected = 0;
    while (!atomic_compare_exchange_weak_explicit(counter, &expected, expected + 1, memory_order_relaxed, memory_order::memory_order_relaxed)) {
    }
    scratch[lane] = float(atomic_fetch_max_explicit(&shared, int(lane), memory_order_relaxed));
    out[lane] = scratch[lane] + atomic_load_explicit(counter, memory_order_relaxed);
}

kernel void numbers(device float *out [[buffer(0)]], constant int &n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    half base = 0.5h;
    float x = out[i];
    float4 v = float4(x);
    float cosine, whole;
    int exponent;
    bfloat b = bfloat(x);
    out[0] = pow(base, n) + pow(x, 2) + pow(v, 2.0f).x;
    out[1] = clamp(v, 0.0f, 1.0f).y + max(v, 0).z + mix(v, 1.0f, 0.5f).w;
    out[2] = sincos(x, cosine) + modf(x, whole) + frexp(x, exponent);
    out[3] = exp(b) + precise::exp(base) + fast::sin(x) + metal::precise::tanh(x);
    out[4] = min(n, 3) + max(i, 7u) + abs(n) + select(x, 1.0f, n > 0);
    out[5] = float(popcount(i) + clz(i) + uint(min3(n, 1, 2)));
    out[6] = isnan(x) ? NAN : INFINITY + FLT_MAX * M_PI_F;
    out[7] = dot(v, v) + length(v.xyz) + distance(v, float4(0)) + cross(v.xyz, float3(1)).x;
    out[8] = all(v > 0.0f) || any(isinf(v)) ? 1.0f : 0.0f;
    out[9] = dot(float3(packed_float3(1, 2, 3)), float3(1)) + ldexp(x, 3) + float(ilogb(x));
    uint2 bits = as_type<uint2>(ulong(i));
    out[10] = float(extract_bits(bits.x, 4u, 8u) + insert_bits(0u, bits.y, 2, 3));
    out[11] = determinant(float2x2(1, 2, 3, 4)) + transpose(float2x3(1))[0][0];
}

kernel void lanes(device float *out [[buffer(0)]], const device half *in [[buffer(1)]], uint lane [[thread_index_in_simdgroup]]) {
    float x = out[lane];
    x = simd_sum(x) + simd_shuffle_down(x, 1) + simd_shuffle_xor(x, 16u) + quad_sum(x);
    x += simd_shuffle_and_fill_up(x, 0.0f, 1) + simd_prefix_exclusive_sum(x);
    uint2 pair = simd_max(uint2(lane, 1));
    simd_vote vote = simd_ballot(x > 0.0f);
    ulong mask = (simd_vote::vote_t)vote;
    if (vote.all() || simd_ballot(true).any() || simd_is_first()) {
        x += float(popcount(mask)) + float(pair.x);
    }
    simdgroup_float8x8 acc = make_filled_simdgroup_matrix<float, 8>(0.0f);
    simdgroup_half8x8 a, bt;
    simdgroup_load(a, in, 8);
    simdgroup_load(bt, in + 64, 8, ulong2(0, 0), true);
    simdgroup_load(bt, in + 64, 8, 0, true);
    simdgroup_multiply_accumulate(acc, a, bt, acc);
    simdgroup_store(acc, out + 64, 8);
    acc.thread_elements()[0] = x;
    simdgroup_store(acc, out, 8);
}
