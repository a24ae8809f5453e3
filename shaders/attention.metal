// Attention and what surrounds it.
//
// H query or value heads share Hg key heads, and H is a multiple of Hg. There
// are two ways to say which key head serves head h, and they agree only when
// Hg is 1 or H:
//
//     block   h / (H / Hg)    neighbours share: 0 0 0 1 1 1
//     tiled   h % Hg          heads take turns: 0 1 0 1 0 1

#include <metal_stdlib>
using namespace metal;

// Where a maximum begins, below every score that is no mask: fast math knows no infinity.
constant constexpr float LOWEST = -FLT_MAX;

// Threads of a simdgroup.
constant constexpr uint SIMD_WIDTH = 32;

// A threadgroup has at most 1024 threads, that is 32 simdgroups.
constant constexpr uint MAX_SIMDGROUPS = 32;

// The widest head of attn_online_f32: sixteen channels in each lane.
constant constexpr uint MAX_HEAD_DIM = 512;

// Dimensions of a head broadcast.
struct RepeatParams {
    uint seq;  // tokens
    uint hg;   // heads of the source
    uint h;    // heads of the result, a multiple of hg
    uint k;    // channels of one head
};

// Repeats key heads for value heads, tiled:
//
//     dst[t, h, c] = src[t, h % hg, c]
//
// Grid: k x h x seq threads, dispatched as threads, so that the last
// threadgroup of a row is as small as it has to be and no thread lies outside.
// Threadgroup: min(256, k) x 1 x 1.
// Threadgroup memory: none.
// Writes: the thread at (c, h, t) writes dst[t, h, c] and nothing else.
kernel void repeat_tiled_f32(
    device const float*    src    [[buffer(0)]],  // [seq, hg, k]
    device float*          dst    [[buffer(1)]],  // [seq, h, k]
    constant RepeatParams& params [[buffer(2)]],
    uint3 position [[thread_position_in_grid]])
{
    const uint c = position.x;
    const uint h = position.y;
    const uint t = position.z;

    // 64 bits: seq * h * k may pass 2^32 elements.
    const ulong from = (ulong(t) * params.hg + h % params.hg) * params.k + c;
    const ulong to = (ulong(t) * params.h + h) * params.k + c;
    dst[to] = src[from];
}

// Repeats key heads for value heads, block by block:
//
//     dst[t, h, c] = src[t, h / (H / hg), c]
//
// Grid: k x h x seq threads, dispatched as threads, in threadgroups of
// min(256, k) x 1 x 1.
// Threadgroup memory: none.
// Writes: the thread at (c, h, t) writes dst[t, h, c] and nothing else.
kernel void repeat_block_f32(
    device const float*    src    [[buffer(0)]],  // [seq, hg, k]
    device float*          dst    [[buffer(1)]],  // [seq, h, k]
    constant RepeatParams& params [[buffer(2)]],
    uint3 position [[thread_position_in_grid]])
{
    const uint c = position.x;
    const uint h = position.y;
    const uint t = position.z;

    const uint shared_by = params.h / params.hg;
    const ulong from = (ulong(t) * params.hg + h / shared_by) * params.k + c;
    const ulong to = (ulong(t) * params.h + h) * params.k + c;
    dst[to] = src[from];
}

// The sum of value over the threadgroup, the same bits in every thread. Every
// thread has to call it, and partial must not be in use by an earlier call.
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

// The score of one query head against one cached key, in all threads.
static inline float attention_score(
    device const float* q,        // [head_dim]
    device const float* key,      // [head_dim]
    threadgroup float*  partial,  // [simdgroups]
    uint head_dim,
    float scale,
    uint thread_id,
    uint threads,
    uint lane,
    uint simdgroup,
    uint simdgroups)
{
    float dot = 0.0f;
    for (uint d = thread_id; d < head_dim; d += threads) {
        dot += q[d] * key[d];
    }
    return scale * threadgroup_sum(dot, partial, lane, simdgroup, simdgroups);
}

// One channel of the weighted sum of cached values; channel points to it in the
// first cached row.
static inline float attention_value(
    device const float* weights,  // [seq_len]
    device const float* channel,
    uint kv_dim,
    uint seq_len)
{
    float sum = 0.0f;
    for (uint p = 0; p < seq_len; p++) {
        sum += weights[p] * channel[ulong(p) * kv_dim];
    }
    return sum;
}

// Attention scores of one token against the cache, block mapping:
//
//     scores[h, p] = scale * sum_d Q[h, d] * K_cache[p, h / heads_per_kv, d]
//
// for p < seq_len; what lies behind that in a row stays as it is.
//
// Grid: num_seq_tgs * H threadgroups of 256 threads, where num_seq_tgs =
// seq_len; threadgroup b scores position b % num_seq_tgs for head
// b / num_seq_tgs.
// Threadgroup memory: one partial sum for each simdgroup.
// Writes: thread 0 writes its threadgroup's score.
kernel void attn_scores_batched(
    device const float* Q            [[buffer(0)]],  // [H, head_dim]
    device const float* K_cache      [[buffer(1)]],  // [max_seq, kv_dim]
    device float*       scores       [[buffer(2)]],  // [H, seq_stride]
    constant uint&      head_dim     [[buffer(3)]],
    constant uint&      kv_dim       [[buffer(4)]],
    constant uint&      seq_len      [[buffer(5)]],
    constant uint&      seq_stride   [[buffer(6)]],
    constant float&     scale        [[buffer(7)]],
    constant uint&      heads_per_kv [[buffer(8)]],
    constant uint&      num_seq_tgs  [[buffer(9)]],
    uint flat       [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float partial[MAX_SIMDGROUPS];

    const uint position = flat % num_seq_tgs;
    const uint head = flat / num_seq_tgs;
    // The position is the same for the whole threadgroup: all its threads leave
    // here, or none.
    if (position >= seq_len) {
        return;
    }
    const uint kv_head = head / heads_per_kv;
    const float score = attention_score(
        Q + ulong(head) * head_dim, K_cache + ulong(position) * kv_dim + kv_head * head_dim,
        partial, head_dim, scale, thread_id, threads, lane, simdgroup, simdgroups);
    if (thread_id == 0) {
        scores[ulong(head) * seq_stride + position] = score;
    }
}

// Attention scores of one token against the cache, tiled mapping:
//
//     scores[h, p] = scale * sum_d Q[h, d] * K_cache[p, h % num_kv_heads, d]
//
// for p < seq_len; what lies behind that in a row stays as it is.
//
// Grid: num_seq_tgs * H threadgroups of 256 threads, where num_seq_tgs =
// seq_len; threadgroup b scores position b % num_seq_tgs for head
// b / num_seq_tgs.
// Threadgroup memory: one partial sum for each simdgroup.
// Writes: thread 0 writes its threadgroup's score.
kernel void attn_scores_tiled(
    device const float* Q            [[buffer(0)]],  // [H, head_dim]
    device const float* K_cache      [[buffer(1)]],  // [max_seq, kv_dim]
    device float*       scores       [[buffer(2)]],  // [H, seq_stride]
    constant uint&      head_dim     [[buffer(3)]],
    constant uint&      kv_dim       [[buffer(4)]],
    constant uint&      seq_len      [[buffer(5)]],
    constant uint&      seq_stride   [[buffer(6)]],
    constant float&     scale        [[buffer(7)]],
    constant uint&      num_kv_heads [[buffer(8)]],
    constant uint&      num_seq_tgs  [[buffer(9)]],
    uint flat       [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float partial[MAX_SIMDGROUPS];

    const uint position = flat % num_seq_tgs;
    const uint head = flat / num_seq_tgs;
    // The position is the same for the whole threadgroup: all its threads leave
    // here, or none.
    if (position >= seq_len) {
        return;
    }
    const uint kv_head = head % num_kv_heads;
    const float score = attention_score(
        Q + ulong(head) * head_dim, K_cache + ulong(position) * kv_dim + kv_head * head_dim,
        partial, head_dim, scale, thread_id, threads, lane, simdgroup, simdgroups);
    if (thread_id == 0) {
        scores[ulong(head) * seq_stride + position] = score;
    }
}

// Softmax of the first seq_len columns of each row of scores, in place.
//
// Grid: H threadgroups of 256 threads; threadgroup h serves row h.
// Threadgroup memory: two partial results for each simdgroup.
// Writes: thread i writes scores[h, i], scores[h, i + 256], ..., which it alone
// reads.
kernel void attn_softmax_batched(
    device float*  scores     [[buffer(0)]],  // [H, seq_stride]
    constant uint& seq_len    [[buffer(1)]],
    constant uint& seq_stride [[buffer(2)]],
    uint head       [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float partial_max[MAX_SIMDGROUPS];
    threadgroup float partial_sum[MAX_SIMDGROUPS];

    device float* row = scores + ulong(head) * seq_stride;

    float largest = LOWEST;
    for (uint p = thread_id; p < seq_len; p += threads) {
        largest = max(largest, row[p]);
    }
    largest = simd_max(largest);
    if (lane == 0) {
        partial_max[simdgroup] = largest;
    }
    // Orders the simdgroups' maxima before every thread reads them all.
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint s = 0; s < simdgroups; s++) {
        largest = max(largest, partial_max[s]);
    }

    float sum = 0.0f;
    for (uint p = thread_id; p < seq_len; p += threads) {
        const float weight = exp(row[p] - largest);
        row[p] = weight;
        sum += weight;
    }
    sum = threadgroup_sum(sum, partial_sum, lane, simdgroup, simdgroups);

    for (uint p = thread_id; p < seq_len; p += threads) {
        row[p] /= sum;
    }
}

// The weighted sum of cached values, block mapping:
//
//     out[h, d] = sum_{p < seq_len} scores[h, p] * V_cache[p, h / heads_per_kv, d]
//
// Grid: ceil(H * head_dim / 256) threadgroups of 256 threads. H is not an
// argument: it is heads_per_kv times the kv_dim / head_dim key heads.
// Threadgroup memory: none.
// Writes: thread i writes element i of out; threads past the last write nothing.
kernel void attn_values_batched(
    device const float* scores       [[buffer(0)]],  // [H, seq_stride]
    device const float* V_cache      [[buffer(1)]],  // [max_seq, kv_dim]
    device float*       out          [[buffer(2)]],  // [H, head_dim]
    constant uint&      head_dim     [[buffer(3)]],
    constant uint&      kv_dim       [[buffer(4)]],
    constant uint&      seq_len      [[buffer(5)]],
    constant uint&      seq_stride   [[buffer(6)]],
    constant uint&      heads_per_kv [[buffer(7)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= heads_per_kv * kv_dim) {
        return;
    }
    const uint head = i / head_dim;
    const uint d = i % head_dim;
    const uint kv_head = head / heads_per_kv;
    out[i] = attention_value(scores + ulong(head) * seq_stride, V_cache + kv_head * head_dim + d, kv_dim, seq_len);
}

// The weighted sum of cached values, tiled mapping:
//
//     out[h, d] = sum_{p < seq_len} scores[h, p] * V_cache[p, h % num_kv_heads, d]
//
// Grid: ceil(H * head_dim / 256) threadgroups of 256 threads. No argument tells
// H, so that no thread can know that it is past the last element: H * head_dim
// has to be a multiple of 256.
// Threadgroup memory: none.
// Writes: thread i writes element i of out.
kernel void attn_values_tiled(
    device const float* scores       [[buffer(0)]],  // [H, seq_stride]
    device const float* V_cache      [[buffer(1)]],  // [max_seq, kv_dim]
    device float*       out          [[buffer(2)]],  // [H, head_dim]
    constant uint&      head_dim     [[buffer(3)]],
    constant uint&      kv_dim       [[buffer(4)]],
    constant uint&      seq_len      [[buffer(5)]],
    constant uint&      seq_stride   [[buffer(6)]],
    constant uint&      num_kv_heads [[buffer(7)]],
    uint i [[thread_position_in_grid]])
{
    const uint head = i / head_dim;
    const uint d = i % head_dim;
    const uint kv_head = head % num_kv_heads;
    out[i] = attention_value(scores + ulong(head) * seq_stride, V_cache + kv_head * head_dim + d, kv_dim, seq_len);
}

// What attn_online_f32 is told.
struct OnlineParams {
    uint T;          // queries
    uint S;          // keys
    uint H;          // query heads
    uint Hg;         // key heads
    uint D;          // channels of one head
    uint mapping;    // 0 block, 1 tiled
    uint causal;     // 1: query t sees keys up to start_pos + t
    uint start_pos;
    float scale;
};

// Attention in one pass, with online softmax over tiles of 32 keys:
//
//     s[p] = scale * Q[t, h] . K[p, kv(h)],   out[t, h] = sum_p softmax(s)[p] * V[p, kv(h)]
//
// over the keys that query t sees. A simdgroup takes every k-th tile, one key in
// each lane, and keeps the largest score m, the denominator l and the weighted
// values relative to m; the simdgroups' states are then merged one after the
// other. As long as no score was above -inf, m - m has no value: the
// exponentials of -inf are then taken as the zeros that they stand for. Without
// any weight the result is 0.
//
// Grid: (T, H) threadgroups of 32 k threads. D <= 512.
// Threadgroup memory: the merged state.
// Writes: thread i of threadgroup (t, h) writes out[t, h, i], [t, h, i + 32 k],
// ...
kernel void attn_online_f32(
    device const float*    Q      [[buffer(0)]],  // [T, H, D]
    device const float*    K      [[buffer(1)]],  // [S, Hg, D]
    device const float*    V      [[buffer(2)]],  // [S, Hg, D]
    device float*          out    [[buffer(3)]],  // [T, H, D]
    constant OnlineParams& params [[buffer(4)]],
    uint2 group     [[threadgroup_position_in_grid]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float merged_max;
    threadgroup float merged_sum;
    threadgroup float merged[MAX_HEAD_DIM];

    const uint D = params.D;
    const uint t = group.x;
    const uint head = group.y;
    const uint kv_head = params.mapping == 0 ? head / (params.H / params.Hg) : head % params.Hg;
    const uint visible = params.causal != 0 ? min(params.S, params.start_pos + t + 1) : params.S;
    const ulong kv_stride = ulong(params.Hg) * D;

    device const float* q = Q + (ulong(t) * params.H + head) * D;
    device const float* keys = K + ulong(kv_head) * D;
    device const float* values = V + ulong(kv_head) * D;

    // Channel lane + 32 c of the weighted values is acc[c].
    float acc[MAX_HEAD_DIM / SIMD_WIDTH];
    for (uint c = 0; c < MAX_HEAD_DIM / SIMD_WIDTH; c++) {
        acc[c] = 0.0f;
    }
    float running_max = LOWEST;
    float running_sum = 0.0f;

    for (uint first = simdgroup * SIMD_WIDTH; first < visible; first += simdgroups * SIMD_WIDTH) {
        const uint n = min(SIMD_WIDTH, visible - first);

        // 1. Each lane scores its key; lanes past the last key have none.
        float score = LOWEST;
        if (lane < n) {
            device const float* key = keys + (ulong(first) + lane) * kv_stride;
            float dot = 0.0f;
            for (uint d = 0; d < D; d++) {
                dot += q[d] * key[d];
            }
            score = params.scale * dot;
        }

        // 2. The new maximum, and what the state so far is worth under it.
        const float new_max = max(running_max, simd_max(score));
        const float rescale = running_max <= LOWEST ? 0.0f : exp(running_max - new_max);
        const float weight = score <= LOWEST ? 0.0f : exp(score - new_max);
        running_sum = running_sum * rescale + simd_sum(weight);
        running_max = new_max;

        // 3. The weighted values; each lane adds its channels of every row.
        for (uint c = 0; c * SIMD_WIDTH < D; c++) {
            acc[c] *= rescale;
        }
        for (uint j = 0; j < n; j++) {
            const float w = simd_broadcast(weight, ushort(j));
            device const float* row = values + (ulong(first) + j) * kv_stride;
            for (uint c = 0; c * SIMD_WIDTH + lane < D; c++) {
                acc[c] += w * row[c * SIMD_WIDTH + lane];
            }
        }
    }

    // 4. Merge: the simdgroups take turns in adding their state to the merged
    // one, the first one sets it.
    for (uint turn = 0; turn < simdgroups; turn++) {
        if (simdgroup == turn) {
            const float prior_max = turn == 0 ? float(LOWEST) : merged_max;
            const float prior_sum = turn == 0 ? 0.0f : merged_sum;
            const float new_max = max(prior_max, running_max);
            const float keep = prior_max <= LOWEST ? 0.0f : exp(prior_max - new_max);
            const float take = running_max <= LOWEST ? 0.0f : exp(running_max - new_max);
            // Orders the reads of merged_max and merged_sum by all lanes before
            // lane 0 writes them.
            simdgroup_barrier(mem_flags::mem_threadgroup);
            for (uint c = 0; c * SIMD_WIDTH < D; c++) {
                const uint d = c * SIMD_WIDTH + lane;
                merged[d] = (turn == 0 ? 0.0f : merged[d] * keep) + acc[c] * take;
            }
            if (lane == 0) {
                merged_max = new_max;
                merged_sum = prior_sum * keep + running_sum * take;
            }
        }
        // Orders this turn's writes of the merged state before the reads of the
        // next one.
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }

    for (uint d = simdgroup * SIMD_WIDTH + lane; d < D; d += simdgroups * SIMD_WIDTH) {
        out[(ulong(t) * params.H + head) * D + d] = merged_sum == 0.0f ? 0.0f : merged[d] / merged_sum;
    }
}

// 1 / (1 + exp(-x)), from the exponential of -|x|: that of -x may overflow, and fast math
// knows no infinity.
static inline float sigmoid(float x)
{
    const float e = exp(-abs(x));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

// x[i] = x[i] * sigmoid(gate[i])
//
// Grid: ceil(dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes x_out[i]; threads past the last write nothing.
kernel void sigmoid_gate(
    device float*       x_out [[buffer(0)]],  // [dim]
    device const float* gate  [[buffer(1)]],  // [dim]
    constant uint&      dim   [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        x_out[i] *= sigmoid(gate[i]);
    }
}

// Parts each head of a projection into query and gate:
//
//     q_out[t, h, d] = q_proj[t, h, d],   gate_out[t, h, d] = q_proj[t, h, D + d]
//
// Grid: ceil(n_tokens * num_heads * head_dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes element i of q_out and of gate_out; threads past the
// last write nothing.
kernel void split_q_gate(
    device const float* q_proj    [[buffer(0)]],  // [n_tokens, num_heads, 2 * head_dim]
    device float*       q_out     [[buffer(1)]],  // [n_tokens, num_heads, head_dim]
    device float*       gate_out  [[buffer(2)]],  // [n_tokens, num_heads, head_dim]
    constant uint&      num_heads [[buffer(3)]],
    constant uint&      head_dim  [[buffer(4)]],
    constant uint&      n_tokens  [[buffer(5)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= n_tokens * num_heads * head_dim) {
        return;
    }
    const uint d = i % head_dim;
    const ulong from = ulong(i / head_dim) * 2 * head_dim + d;
    q_out[i] = q_proj[from];
    gate_out[i] = q_proj[from + head_dim];
}

// Appends the keys and values of new tokens to the cache:
//
//     cache[kv_start + t, c] = src[t, c]
//
// Grid: ceil(n_tokens * kv_dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes element i of the new rows of both caches; other rows
// stay as they are.
kernel void kv_cache_append_n_tokens(
    device const float* k_src    [[buffer(0)]],  // [n_tokens, kv_dim]
    device const float* v_src    [[buffer(1)]],  // [n_tokens, kv_dim]
    device float*       k_cache  [[buffer(2)]],  // [max_seq, kv_dim]
    device float*       v_cache  [[buffer(3)]],  // [max_seq, kv_dim]
    constant uint&      kv_dim   [[buffer(4)]],
    constant uint&      n_tokens [[buffer(5)]],
    constant uint&      kv_start [[buffer(6)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= n_tokens * kv_dim) {
        return;
    }
    const ulong to = ulong(kv_start) * kv_dim + i;
    k_cache[to] = k_src[i];
    v_cache[to] = v_src[i];
}

// Rotary position embedding, in place, half-split pairs: channel i turns with
// channel i + rotary_dim / 2 by the angle (start_pos + t) * inv_freq[i].
// Channels from rotary_dim on stay as they are.
//
// Positions go to hundreds of thousands, where the fast sine is of no use: sine
// and cosine are the precise ones in every math mode.
//
// Grid: ceil(n_tokens * H * rotary_dim / 2 / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread (t, h, i) reads and writes the two channels of its pair; threads
// past the last pair write nothing.
kernel void rope_n_tokens(
    device float*       x          [[buffer(0)]],  // [n_tokens, H, D]
    device const float* inv_freq   [[buffer(1)]],  // [rotary_dim / 2]
    constant uint&      n_tokens   [[buffer(2)]],
    constant uint&      H          [[buffer(3)]],
    constant uint&      D          [[buffer(4)]],
    constant uint&      rotary_dim [[buffer(5)]],
    constant int&       start_pos  [[buffer(6)]],
    uint flat [[thread_position_in_grid]])
{
    const uint pairs = rotary_dim / 2;
    if (flat >= n_tokens * H * pairs) {
        return;
    }
    const uint i = flat % pairs;
    const uint row = flat / pairs;  // t * H + h
    const float angle = float(start_pos + int(row / H)) * inv_freq[i];
    const float c = precise::cos(angle);
    const float s = precise::sin(angle);

    device float* pair = x + ulong(row) * D + i;
    const float a = pair[0];
    const float b = pair[pairs];
    pair[0] = a * c - b * s;
    pair[pairs] = a * s + b * c;
}
