// RMS norms.
//
//     y[i] = x[i] * rsqrt(mean(x^2) + eps) * weight[i]
//
// All sums are f32. Weights are bf16 and are widened, exactly, where they are
// used.

#include <metal_stdlib>
using namespace metal;

// A threadgroup has at most 1024 threads, that is 32 simdgroups.
constant constexpr uint MAX_SIMDGROUPS = 32;

// The sum of value over the threadgroup, the same bits in every thread.
//
// Two steps: simd_sum inside each simdgroup, then every thread adds all the
// partial sums for itself. That saves the second barrier that handing out one
// thread's total would need, and holds for a last simdgroup of any size, which a
// simd_sum over the partial sums would not. Every thread of the threadgroup has
// to call it, and partial must not be in use by an earlier call.
static inline float threadgroup_sum(
    float value,
    threadgroup float* partial,  // [simdgroups]
    uint lane,
    uint simdgroup,
    uint simdgroups)
{
    const float sum = simd_sum(value);
    if (lane == 0) {
        partial[simdgroup] = sum;
    }
    // Orders the writes of partial, one from each simdgroup, before the reads
    // below, which cross simdgroups.
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float total = 0.0f;
    for (uint s = 0; s < simdgroups; s++) {
        total += partial[s];
    }
    return total;
}

// RMS norm of each token with bf16 weights, sum and scaling in one launch:
//
//     out[t, i] = x[t, i] * rsqrt(sum_j x[t, j]^2 / dim + eps) * weight[i]
//
// Grid: n_tokens threadgroups of 256 threads; threadgroup t normalises token t.
// Threadgroup memory: one partial sum for each simdgroup.
// Writes: thread i of threadgroup t writes out[t, i], out[t, i + 256], ...
kernel void rms_norm_bf16_fused_n_tokens(
    device const float*  x      [[buffer(0)]],  // [n_tokens, dim]
    device const bfloat* weight [[buffer(1)]],  // [dim]
    device float*        out    [[buffer(2)]],  // [n_tokens, dim]
    constant uint&       dim    [[buffer(3)]],
    constant float&      eps    [[buffer(4)]],
    uint token      [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float partial[MAX_SIMDGROUPS];

    device const float* x_token = x + ulong(token) * dim;
    device float* out_token = out + ulong(token) * dim;

    // A thread with no element adds zero: all threads stay for the reduction.
    float sum_sq = 0.0f;
    for (uint i = thread_id; i < dim; i += threads) {
        sum_sq += x_token[i] * x_token[i];
    }
    sum_sq = threadgroup_sum(sum_sq, partial, lane, simdgroup, simdgroups);

    const float scale = rsqrt(sum_sq / float(dim) + eps);
    for (uint i = thread_id; i < dim; i += threads) {
        out_token[i] = x_token[i] * scale * float(weight[i]);
    }
}
