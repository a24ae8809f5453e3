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

// The sum of squares of one row: the first half of a norm in two launches.
//
// Grid: one threadgroup of 256 threads.
// Threadgroup memory: one partial sum for each simdgroup.
// Writes: thread 0 writes sum_sq[0].
kernel void rms_norm_sum_sq(
    device const float* x      [[buffer(0)]],  // [dim]
    device float*       sum_sq [[buffer(1)]],  // [1]
    constant uint&      dim    [[buffer(2)]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float partial[MAX_SIMDGROUPS];

    float sum = 0.0f;
    for (uint i = thread_id; i < dim; i += threads) {
        sum += x[i] * x[i];
    }
    sum = threadgroup_sum(sum, partial, lane, simdgroup, simdgroups);
    if (thread_id == 0) {
        sum_sq[0] = sum;
    }
}

// The second half of a norm in two launches, with f32 weights:
//
//     out[i] = x[i] * rsqrt(sum_sq / dim + eps) * weight[i]
//
// Grid: ceil(dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes out[i]; threads past the last write nothing.
kernel void rms_norm_apply(
    device const float* x      [[buffer(0)]],  // [dim]
    device const float* weight [[buffer(1)]],  // [dim]
    device const float* sum_sq [[buffer(2)]],  // [1]
    device float*       out    [[buffer(3)]],  // [dim]
    constant uint&      dim    [[buffer(4)]],
    constant float&     eps    [[buffer(5)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        out[i] = x[i] * rsqrt(sum_sq[0] / float(dim) + eps) * weight[i];
    }
}

// rms_norm_apply with bf16 weights.
//
// Grid: ceil(dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes out[i]; threads past the last write nothing.
kernel void rms_norm_apply_bf16(
    device const float*  x      [[buffer(0)]],  // [dim]
    device const bfloat* weight [[buffer(1)]],  // [dim]
    device const float*  sum_sq [[buffer(2)]],  // [1]
    device float*        out    [[buffer(3)]],  // [dim]
    constant uint&       dim    [[buffer(4)]],
    constant float&      eps    [[buffer(5)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        out[i] = x[i] * rsqrt(sum_sq[0] / float(dim) + eps) * float(weight[i]);
    }
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

// RMS norm of each head of each token, in place:
//
//     x[t, h, i] = x[t, h, i] * rsqrt(sum_j x[t, h, j]^2 / head_dim + eps) * weight[i]
//
// Grid: (num_heads, n_tokens) threadgroups of 256 threads.
// Threadgroup memory: one partial sum for each simdgroup.
// Writes: thread i of threadgroup (h, t) writes x[t, h, i], x[t, h, i + 256],
// ..., which it alone reads after the sum.
kernel void rms_norm_per_head_n_tokens(
    device float*        x         [[buffer(0)]],  // [n_tokens, num_heads, head_dim]
    device const bfloat* weight    [[buffer(1)]],  // [head_dim]
    constant uint&       num_heads [[buffer(2)]],
    constant uint&       head_dim  [[buffer(3)]],
    constant float&      eps       [[buffer(4)]],
    uint2 group     [[threadgroup_position_in_grid]],
    uint2 size      [[threads_per_threadgroup]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float partial[MAX_SIMDGROUPS];

    device float* row = x + (ulong(group.y) * num_heads + group.x) * head_dim;

    float sum_sq = 0.0f;
    for (uint i = thread_id; i < head_dim; i += size.x) {
        sum_sq += row[i] * row[i];
    }
    sum_sq = threadgroup_sum(sum_sq, partial, lane, simdgroup, simdgroups);

    const float scale = rsqrt(sum_sq / float(head_dim) + eps);
    for (uint i = thread_id; i < head_dim; i += size.x) {
        row[i] = row[i] * scale * float(weight[i]);
    }
}

// The eps of rms_norm_qk.
constant constexpr float QK_EPS = 1e-6f;

// Norms of queries and keys, in place, without weights:
//
//     q[i] = q[i] * rsqrt(mean(q^2) + 1e-6) * inv_scale^2
//     k[i] = k[i] * rsqrt(mean(k^2) + 1e-6) * inv_scale
//
// In the row of a token, head h's query begins at h * key_dim and its key
// key_offset_per_token later. What else is in the row stays as it is.
//
// Grid: (num_k_heads, n_tokens) threadgroups of key_dim threads. key_dim <= 128.
// Threadgroup memory: two partial sums for each simdgroup.
// Writes: thread i of threadgroup (h, t) writes channel i of head h's query and
// key in token t.
kernel void rms_norm_qk(
    device float*   x                    [[buffer(0)]],  // [n_tokens, per_token_total]
    constant uint&  key_dim              [[buffer(1)]],
    constant float& inv_scale            [[buffer(2)]],  // 1 / sqrt(key_dim)
    constant uint&  per_token_total      [[buffer(3)]],
    constant uint&  key_offset_per_token [[buffer(4)]],
    uint2 group     [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    // Two arrays of partial sums: in one, the second sum would overwrite what
    // slow simdgroups still read of the first.
    threadgroup float q_partial[MAX_SIMDGROUPS];
    threadgroup float k_partial[MAX_SIMDGROUPS];

    const ulong at = ulong(group.y) * per_token_total + group.x * key_dim + thread_id;
    const float q = x[at];
    const float k = x[at + key_offset_per_token];

    const float q_sq = threadgroup_sum(q * q, q_partial, lane, simdgroup, simdgroups);
    const float k_sq = threadgroup_sum(k * k, k_partial, lane, simdgroup, simdgroups);
    x[at] = q * rsqrt(q_sq / float(key_dim) + QK_EPS) * (inv_scale * inv_scale);
    x[at + key_offset_per_token] = k * rsqrt(k_sq / float(key_dim) + QK_EPS) * inv_scale;
}

// 1 / (1 + exp(-x)), from the exponential of -|x|: that of -x may overflow, and fast math
// knows no infinity.
static inline float sigmoid(float x)
{
    const float e = exp(-abs(x));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

// RMS norm of each value head, gated:
//
//     output[t, h, i] = v[i] * rsqrt(mean(v^2) + eps) * silu(z[i]) * weight[i]
//
// with v and z at [t, h] and silu(z) = z / (1 + exp(-z)).
//
// Grid: (num_v_heads, n_tokens) threadgroups of value_dim threads.
// value_dim <= 128.
// Threadgroup memory: one partial sum for each simdgroup.
// Writes: thread i of threadgroup (h, t) writes output[t, h, i].
kernel void gated_rms_norm(
    device const float*  values      [[buffer(0)]],  // [n_tokens, num_v_heads, value_dim]
    device const float*  z           [[buffer(1)]],  // [n_tokens, num_v_heads, value_dim]
    device const bfloat* weight      [[buffer(2)]],  // [value_dim]
    device float*        output      [[buffer(3)]],  // [n_tokens, num_v_heads, value_dim]
    constant uint&       value_dim   [[buffer(4)]],
    constant float&      eps         [[buffer(5)]],
    constant uint&       num_v_heads [[buffer(6)]],
    uint2 group     [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float partial[MAX_SIMDGROUPS];

    const ulong at = (ulong(group.y) * num_v_heads + group.x) * value_dim + thread_id;
    const float v = values[at];
    const float sum_sq = threadgroup_sum(v * v, partial, lane, simdgroup, simdgroups);

    const float gate = z[at] * sigmoid(z[at]);
    output[at] = v * rsqrt(sum_sq / float(value_dim) + eps) * gate * float(weight[thread_id]);
}

// out[i] = a[i] + b[i]
//
// Grid: ceil(dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes out[i]; threads past the last write nothing.
kernel void residual_add(
    device const float* a   [[buffer(0)]],  // [dim]
    device const float* b   [[buffer(1)]],  // [dim]
    device float*       out [[buffer(2)]],  // [dim]
    constant uint&      dim [[buffer(3)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        out[i] = a[i] + b[i];
    }
}

// residual_add of several tokens at once.
//
// Grid: ceil(total / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes out[i]; threads past the last write nothing.
kernel void residual_add_n_tokens(
    device const float* a     [[buffer(0)]],  // [n_tokens, dim]
    device const float* b     [[buffer(1)]],  // [n_tokens, dim]
    device float*       out   [[buffer(2)]],  // [n_tokens, dim]
    constant uint&      total [[buffer(3)]],  // n_tokens * dim
    uint i [[thread_position_in_grid]])
{
    if (i < total) {
        out[i] = a[i] + b[i];
    }
}
