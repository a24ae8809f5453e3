// Mixture of experts: the router, the gates and the sums over experts.
//
//     sigmoid(x) = 1 / (1 + exp(-x)),   silu(x) = x / (1 + exp(-x))

#include <metal_stdlib>
using namespace metal;

// Where a maximum begins, below every score that is no mask: fast math knows no infinity.
constant constexpr float LOWEST = -FLT_MAX;

// A threadgroup has at most 1024 threads, that is 32 simdgroups.
constant constexpr uint MAX_SIMDGROUPS = 32;

// Experts of a router and slots of a selection.
constant constexpr uint MAX_EXPERTS = 512;
constant constexpr uint MAX_SLOTS = 16;

// The weight of a slot that no expert has taken, below every probability.
constant constexpr float EMPTY_SLOT = -1e30f;

// The place of the shared expert's gate among the parameters of the combine
// kernels, after sixteen expert weights.
constant constexpr uint SHARED_GATE = 16;

// 1 / (1 + exp(-x)), from the exponential of -|x|: that of -x may overflow, and fast math
// knows no infinity.
static inline float sigmoid(float x)
{
    const float e = exp(-abs(x));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

static inline float silu(float x)
{
    return x * sigmoid(x);
}

// Softmax over all experts, then the k largest. The order of the slots is
// defined: slots start as (index 0, weight -1e30); experts come in order, and one
// whose probability is above the smallest slot, the first of them on ties, takes
// that slot. The result is not sorted.
//
// Grid: n_tokens threadgroups of 64 threads (32 ... 128); threadgroup t routes
// token t. n_experts <= 512, k <= 16.
// Threadgroup memory: the probabilities; two partial results for each simdgroup.
// Writes: thread 0 of threadgroup t writes the rows t of out_indices and
// out_weights.
kernel void moe_softmax_topk(
    device const float* logits      [[buffer(0)]],  // [n_tokens, n_experts]
    device int*         out_indices [[buffer(1)]],  // [n_tokens, k]
    device float*       out_weights [[buffer(2)]],  // [n_tokens, k]
    constant uint&      n_experts   [[buffer(3)]],
    constant uint&      k           [[buffer(4)]],
    uint token      [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float probabilities[MAX_EXPERTS];
    threadgroup float partial_max[MAX_SIMDGROUPS];
    threadgroup float partial_sum[MAX_SIMDGROUPS];

    device const float* row = logits + ulong(token) * n_experts;

    float largest = LOWEST;
    for (uint e = thread_id; e < n_experts; e += threads) {
        largest = max(largest, row[e]);
    }
    largest = simd_max(largest);
    if (lane == 0) {
        partial_max[simdgroup] = largest;
    }
    // Orders the simdgroups' maxima before every simdgroup reads them all.
    threadgroup_barrier(mem_flags::mem_threadgroup);
    largest = simd_max(lane < simdgroups ? partial_max[lane] : float(LOWEST));

    float sum = 0.0f;
    for (uint e = thread_id; e < n_experts; e += threads) {
        const float p = exp(row[e] - largest);
        probabilities[e] = p;
        sum += p;
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        partial_sum[simdgroup] = sum;
    }
    // Orders the simdgroups' sums before every simdgroup reads them all, and the
    // exponentials before thread 0 reads them.
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum = simd_sum(lane < simdgroups ? partial_sum[lane] : 0.0f);

    // The selection goes expert by expert: one thread.
    if (thread_id != 0) {
        return;
    }
    int indices[MAX_SLOTS];
    float weights[MAX_SLOTS];
    for (uint s = 0; s < k; s++) {
        indices[s] = 0;
        weights[s] = EMPTY_SLOT;
    }
    for (uint e = 0; e < n_experts; e++) {
        const float p = probabilities[e] / sum;
        uint smallest = 0;
        for (uint s = 1; s < k; s++) {
            if (weights[s] < weights[smallest]) {
                smallest = s;
            }
        }
        if (p > weights[smallest]) {
            indices[smallest] = int(e);
            weights[smallest] = p;
        }
    }
    for (uint s = 0; s < k; s++) {
        out_indices[ulong(token) * k + s] = indices[s];
        out_weights[ulong(token) * k + s] = weights[s];
    }
}

// Divides each row of weights by its sum, if that is above 0.
//
// Grid: n_tokens threadgroups of k threads; threadgroup t serves row t.
// Threadgroup memory: none.
// Writes: thread s of threadgroup t writes weights[t, s].
kernel void moe_normalize_weights(
    device float*  weights [[buffer(0)]],  // [n_tokens, k]
    constant uint& k       [[buffer(1)]],
    uint token [[threadgroup_position_in_grid]],
    uint slot  [[thread_index_in_threadgroup]])
{
    device float* row = weights + ulong(token) * k;
    float sum = 0.0f;
    for (uint s = 0; s < k; s++) {
        sum += row[s];
    }
    // Orders every thread's reads of the row in device memory before its
    // threads overwrite it.
    threadgroup_barrier(mem_flags::mem_device);
    if (sum > 0.0f) {
        row[slot] /= sum;
    }
}

// The weighted sum of K experts:
//
//     out[i] = sum_k weights[k] * expert_outs[k, i]
//
// Grid: ceil(dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes out[i]; threads past the last write nothing.
kernel void weighted_sum(
    device const float* expert_outs [[buffer(0)]],  // [K, dim]
    device const float* weights     [[buffer(1)]],  // [K]
    device float*       out         [[buffer(2)]],  // [dim]
    constant uint&      K           [[buffer(3)]],
    constant uint&      dim         [[buffer(4)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= dim) {
        return;
    }
    float sum = 0.0f;
    for (uint k = 0; k < K; k++) {
        sum += weights[k] * expert_outs[ulong(k) * dim + i];
    }
    out[i] = sum;
}

// Experts, shared expert and residual:
//
//     hidden[i] = h_mid[i] + sum_{k<K} params[k] * expert_k[i] + sigmoid(params[16]) * shared[i]
//
// All sixteen experts are bound; only the first K are read. K <= 16.
//
// Grid: ceil(dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes hidden_out[i]; threads past the last write nothing.
kernel void moe_combine_residual(
    device const float* h_mid        [[buffer(0)]],  // [dim], and so all vectors
    device const float* shared_out   [[buffer(1)]],
    device float*       hidden_out   [[buffer(2)]],
    device const float* expert_out0  [[buffer(3)]],
    device const float* expert_out1  [[buffer(4)]],
    device const float* expert_out2  [[buffer(5)]],
    device const float* expert_out3  [[buffer(6)]],
    device const float* expert_out4  [[buffer(7)]],
    device const float* expert_out5  [[buffer(8)]],
    device const float* expert_out6  [[buffer(9)]],
    device const float* expert_out7  [[buffer(10)]],
    device const float* expert_out8  [[buffer(11)]],
    device const float* expert_out9  [[buffer(12)]],
    device const float* expert_out10 [[buffer(13)]],
    device const float* expert_out11 [[buffer(14)]],
    device const float* expert_out12 [[buffer(15)]],
    device const float* expert_out13 [[buffer(16)]],
    device const float* expert_out14 [[buffer(17)]],
    device const float* expert_out15 [[buffer(18)]],
    device const float* params       [[buffer(19)]],  // 16 weights, shared gate, unused
    constant uint&      dim          [[buffer(20)]],
    constant uint&      K            [[buffer(21)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= dim) {
        return;
    }
    float sum = 0.0f;
    if (K > 0) { sum += params[0] * expert_out0[i]; }
    if (K > 1) { sum += params[1] * expert_out1[i]; }
    if (K > 2) { sum += params[2] * expert_out2[i]; }
    if (K > 3) { sum += params[3] * expert_out3[i]; }
    if (K > 4) { sum += params[4] * expert_out4[i]; }
    if (K > 5) { sum += params[5] * expert_out5[i]; }
    if (K > 6) { sum += params[6] * expert_out6[i]; }
    if (K > 7) { sum += params[7] * expert_out7[i]; }
    if (K > 8) { sum += params[8] * expert_out8[i]; }
    if (K > 9) { sum += params[9] * expert_out9[i]; }
    if (K > 10) { sum += params[10] * expert_out10[i]; }
    if (K > 11) { sum += params[11] * expert_out11[i]; }
    if (K > 12) { sum += params[12] * expert_out12[i]; }
    if (K > 13) { sum += params[13] * expert_out13[i]; }
    if (K > 14) { sum += params[14] * expert_out14[i]; }
    if (K > 15) { sum += params[15] * expert_out15[i]; }
    hidden_out[i] = h_mid[i] + sum + sigmoid(params[SHARED_GATE]) * shared_out[i];
}

// Experts, shared expert without a gate, and residual; params[16] is not read:
//
//     hidden[i] = h_mid[i] + sum_{k<K} params[k] * expert_k[i] + shared[i]
//
// All sixteen experts are bound; only the first K are read. K <= 16.
//
// Grid: ceil(dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes hidden_out[i]; threads past the last write nothing.
kernel void moe_combine_residual_unscaled(
    device const float* h_mid        [[buffer(0)]],  // [dim], and so all vectors
    device const float* shared_out   [[buffer(1)]],
    device float*       hidden_out   [[buffer(2)]],
    device const float* expert_out0  [[buffer(3)]],
    device const float* expert_out1  [[buffer(4)]],
    device const float* expert_out2  [[buffer(5)]],
    device const float* expert_out3  [[buffer(6)]],
    device const float* expert_out4  [[buffer(7)]],
    device const float* expert_out5  [[buffer(8)]],
    device const float* expert_out6  [[buffer(9)]],
    device const float* expert_out7  [[buffer(10)]],
    device const float* expert_out8  [[buffer(11)]],
    device const float* expert_out9  [[buffer(12)]],
    device const float* expert_out10 [[buffer(13)]],
    device const float* expert_out11 [[buffer(14)]],
    device const float* expert_out12 [[buffer(15)]],
    device const float* expert_out13 [[buffer(16)]],
    device const float* expert_out14 [[buffer(17)]],
    device const float* expert_out15 [[buffer(18)]],
    device const float* params       [[buffer(19)]],  // 16 weights, shared gate, unused
    constant uint&      dim          [[buffer(20)]],
    constant uint&      K            [[buffer(21)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= dim) {
        return;
    }
    float sum = 0.0f;
    if (K > 0) { sum += params[0] * expert_out0[i]; }
    if (K > 1) { sum += params[1] * expert_out1[i]; }
    if (K > 2) { sum += params[2] * expert_out2[i]; }
    if (K > 3) { sum += params[3] * expert_out3[i]; }
    if (K > 4) { sum += params[4] * expert_out4[i]; }
    if (K > 5) { sum += params[5] * expert_out5[i]; }
    if (K > 6) { sum += params[6] * expert_out6[i]; }
    if (K > 7) { sum += params[7] * expert_out7[i]; }
    if (K > 8) { sum += params[8] * expert_out8[i]; }
    if (K > 9) { sum += params[9] * expert_out9[i]; }
    if (K > 10) { sum += params[10] * expert_out10[i]; }
    if (K > 11) { sum += params[11] * expert_out11[i]; }
    if (K > 12) { sum += params[12] * expert_out12[i]; }
    if (K > 13) { sum += params[13] * expert_out13[i]; }
    if (K > 14) { sum += params[14] * expert_out14[i]; }
    if (K > 15) { sum += params[15] * expert_out15[i]; }
    hidden_out[i] = h_mid[i] + sum + shared_out[i];
}

// moe_combine_residual with the experts' outputs in one array.
//
// Grid: ceil(dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes hidden_out[i]; threads past the last write nothing.
kernel void moe_combine_residual_flat(
    device const float* h_mid      [[buffer(0)]],  // [dim]
    device const float* shared_out [[buffer(1)]],  // [dim]
    device float*       hidden_out [[buffer(2)]],  // [dim]
    device const float* expert_out [[buffer(3)]],  // [K, dim]
    device const float* params     [[buffer(4)]],  // 16 weights, shared gate, unused
    constant uint&      dim        [[buffer(5)]],
    constant uint&      K          [[buffer(6)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= dim) {
        return;
    }
    float sum = 0.0f;
    for (uint k = 0; k < K; k++) {
        sum += params[k] * expert_out[ulong(k) * dim + i];
    }
    hidden_out[i] = h_mid[i] + sum + sigmoid(params[SHARED_GATE]) * shared_out[i];
}

// Routed sum, shared expert and residual of several tokens:
//
//     hidden[t, i] = h_mid[t, i] + moe_sum[t, i] + sigmoid(shared_gate[t]) * shared[t, i]
//
// Grid: ceil(n_tokens * dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes element i of hidden_out; threads past the last write
// nothing.
kernel void moe_combine_residual_n_tokens(
    device const float* h_mid       [[buffer(0)]],  // [n_tokens, dim]
    device const float* moe_sum     [[buffer(1)]],  // [n_tokens, dim]
    device const float* shared_out  [[buffer(2)]],  // [n_tokens, dim]
    device const float* shared_gate [[buffer(3)]],  // [n_tokens], before the sigmoid
    device float*       hidden_out  [[buffer(4)]],  // [n_tokens, dim]
    constant uint&      n_tokens    [[buffer(5)]],
    constant uint&      dim         [[buffer(6)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= n_tokens * dim) {
        return;
    }
    hidden_out[i] = h_mid[i] + moe_sum[i] + sigmoid(shared_gate[i / dim]) * shared_out[i];
}

// Adds one expert's outputs to the tokens that it served:
//
//     out_sum[token_idx[b], i] += weights[b] * bucket_out[b, i]
//
// No atomics: a token stands at most once in a bucket, and buckets follow one
// another in launches of their own.
//
// Grid: (bucket_size, ceil(hidden_dim / 256)) threadgroups of (1, 256) threads.
// Threadgroup memory: none.
// Writes: thread (b, i) writes out_sum[token_idx[b], i]; threads past the last
// channel write nothing.
kernel void moe_bucket_accumulate(
    device const float* bucket_out  [[buffer(0)]],  // [bucket_size, hidden_dim]
    device const int*   token_idx   [[buffer(1)]],  // [bucket_size]
    device const float* weights     [[buffer(2)]],  // [bucket_size]
    device float*       out_sum     [[buffer(3)]],  // [n_tokens, hidden_dim]
    constant uint&      hidden_dim  [[buffer(4)]],
    constant uint&      bucket_size [[buffer(5)]],
    uint2 position [[thread_position_in_grid]])
{
    const uint b = position.x;
    const uint i = position.y;
    if (b >= bucket_size || i >= hidden_dim) {
        return;
    }
    const ulong to = ulong(token_idx[b]) * hidden_dim + i;
    out_sum[to] += weights[b] * bucket_out[ulong(b) * hidden_dim + i];
}

// out[i] = silu(gate[i]) * up[i]
//
// Grid: ceil(dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes out[i]; threads past the last write nothing.
kernel void swiglu_fused(
    device const float* gate [[buffer(0)]],  // [dim]
    device const float* up   [[buffer(1)]],  // [dim]
    device float*       out  [[buffer(2)]],  // [dim]
    constant uint&      dim  [[buffer(3)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        out[i] = silu(gate[i]) * up[i];
    }
}

// swiglu_fused on four elements at a time; dim is a multiple of 4.
//
// Grid: ceil(dim / 4 / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes elements 4 i ... 4 i + 3; threads past the last write
// nothing.
kernel void swiglu_fused_vec4(
    device const float4* gate [[buffer(0)]],  // [dim / 4]
    device const float4* up   [[buffer(1)]],  // [dim / 4]
    device float4*       out  [[buffer(2)]],  // [dim / 4]
    constant uint&       dim  [[buffer(3)]],  // in floats
    uint i [[thread_position_in_grid]])
{
    if (i < dim / 4) {
        const float4 x = gate[i];
        const float4 e = exp(-abs(x));
        out[i] = x * (select(float4(1.0f), e, x < 0.0f) / (1.0f + e)) * up[i];
    }
}

// swiglu_fused for K experts, which one array after the other holds.
//
// Grid: ceil(K * dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes element i of out; threads past the last write nothing.
kernel void swiglu_fused_batched(
    device const float* gate [[buffer(0)]],  // [K, dim]
    device const float* up   [[buffer(1)]],  // [K, dim]
    device float*       out  [[buffer(2)]],  // [K, dim]
    constant uint&      dim  [[buffer(3)]],
    constant uint&      K    [[buffer(4)]],
    uint i [[thread_position_in_grid]])
{
    if (i < K * dim) {
        out[i] = silu(gate[i]) * up[i];
    }
}
