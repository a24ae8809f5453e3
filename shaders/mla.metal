// Multi-head latent attention, folded.
//
// The key and value up-projections are folded into the query and the output:
// all heads attend to one cache of latent rows L[t] (R values) and of rotated
// key parts K[t] (rope values), and the attention of head h is
//
//     s[t] = softmax_scale * (q_prime[h] . L[t] + q_pe[h] . K[t])
//     v_combine[h] = sum_t softmax(s)[t] * L[t]

#include <metal_stdlib>
using namespace metal;

// Where a maximum begins, below every score that is no mask: fast math knows no infinity.
constant constexpr float LOWEST = -FLT_MAX;

// Threads of a simdgroup.
constant constexpr uint SIMD_WIDTH = 32;

// A threadgroup has at most 1024 threads, that is 32 simdgroups.
constant constexpr uint MAX_SIMDGROUPS = 32;

// Scores of one tile, or of a whole cache, kept in threadgroup memory: 16 KB.
constant constexpr uint MAX_TILE = 4096;

// 4-bit values in one word.
constant constexpr uint NIBBLES = 8;

// Parts the projected query of each head, and the compressed key-value row, into
// what takes no rotation and what does. Pure copies:
//
//     q_full[h] = (q_nope[h], q_pe[h]),   kv_pre = (kv_lat, k_pe)
//
// Grid: ceil(n / 256) threadgroups of 256 threads, where n is the largest of
// H * qk_nope, H * qk_rope, kv_lora_rank and qk_rope.
// Threadgroup memory: none.
// Writes: thread i writes element i of each output that has one.
kernel void mla_split_q_kv(
    device const float* q_full       [[buffer(0)]],  // [H, qk_nope + qk_rope]
    device const float* kv_pre       [[buffer(1)]],  // [kv_lora_rank + qk_rope]
    device float*       q_nope       [[buffer(2)]],  // [H, qk_nope]
    device float*       q_pe         [[buffer(3)]],  // [H, qk_rope]
    device float*       kv_lat       [[buffer(4)]],  // [kv_lora_rank]
    device float*       k_pe         [[buffer(5)]],  // [qk_rope]
    constant uint&      H            [[buffer(6)]],
    constant uint&      qk_nope      [[buffer(7)]],
    constant uint&      qk_rope      [[buffer(8)]],
    constant uint&      kv_lora_rank [[buffer(9)]],
    uint i [[thread_position_in_grid]])
{
    const uint q_dim = qk_nope + qk_rope;
    if (i < H * qk_nope) {
        q_nope[i] = q_full[i / qk_nope * q_dim + i % qk_nope];
    }
    if (i < H * qk_rope) {
        q_pe[i] = q_full[i / qk_rope * q_dim + qk_nope + i % qk_rope];
    }
    if (i < kv_lora_rank) {
        kv_lat[i] = kv_pre[i];
    }
    if (i < qk_rope) {
        k_pe[i] = kv_pre[kv_lora_rank + i];
    }
}

// Rotary position embedding with YaRN's magnitude, in place, half-split pairs:
// channel i turns with channel i + rotary_dim / 2 by the angle
// pos_f * inv_freq[i], and both are scaled by mscale. Sine and cosine are the
// precise ones in every math mode.
//
// Grid: (num_heads, rotary_dim / 2) threadgroups of 1 thread.
// Threadgroup memory: none.
// Writes: thread (h, i) reads and writes the two channels of its pair.
kernel void yarn_rope_apply(
    device float*         x          [[buffer(0)]],  // [num_heads, rotary_dim]
    constant float*       inv_freq   [[buffer(1)]],  // [rotary_dim / 2]
    constant uint&        num_heads  [[buffer(2)]],
    constant uint&        rotary_dim [[buffer(3)]],
    constant float&       pos_f      [[buffer(4)]],
    constant float&       mscale     [[buffer(5)]],
    uint2 position [[thread_position_in_grid]])
{
    const uint head = position.x;
    const uint i = position.y;
    const uint pairs = rotary_dim / 2;
    if (head >= num_heads || i >= pairs) {
        return;
    }
    const float angle = pos_f * inv_freq[i];
    const float c = precise::cos(angle) * mscale;
    const float s = precise::sin(angle) * mscale;

    device float* pair = x + ulong(head) * rotary_dim + i;
    const float a = pair[0];
    const float b = pair[pairs];
    pair[0] = a * c - b * s;
    pair[pairs] = a * s + b * c;
}

// Writes one position's latent row and rotated key part into the cache.
//
// Grid: ceil(max(kv_lora_rank, qk_rope) / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes element i of row pos of both caches; other rows stay
// as they are.
kernel void mla_kv_cache_append(
    device const float* kv_lat       [[buffer(0)]],  // [kv_lora_rank]
    device const float* k_pe         [[buffer(1)]],  // [qk_rope]
    device float*       latent_cache [[buffer(2)]],  // [cap, kv_lora_rank]
    device float*       rope_k_cache [[buffer(3)]],  // [cap, qk_rope]
    constant uint&      kv_lora_rank [[buffer(4)]],
    constant uint&      qk_rope      [[buffer(5)]],
    constant int&       pos          [[buffer(6)]],
    uint i [[thread_position_in_grid]])
{
    if (i < kv_lora_rank) {
        latent_cache[ulong(pos) * kv_lora_rank + i] = kv_lat[i];
    }
    if (i < qk_rope) {
        rope_k_cache[ulong(pos) * qk_rope + i] = k_pe[i];
    }
}

// The value at column c of row number row of a 4-bit matrix with rows of R
// values: q * s + b of its group. The product of four bits and a bfloat is exact.
static inline float weight_4bit(
    device const uint*   W_packed,
    device const bfloat* scales,
    device const bfloat* biases,
    ulong row,
    uint c,
    uint R,
    uint group_size)
{
    const uint packed = W_packed[row * (R / NIBBLES) + c / NIBBLES];
    const ulong group = row * (R / group_size) + c / group_size;
    return float((packed >> (4 * (c % NIBBLES))) & 15u) * float(scales[group]) + float(biases[group]);
}

// Folds the key up-projection into the query:
//
//     q_prime[h, c] = sum_i q_nope[h, i] * W[h * kv_b_per_head + i, c]
//
// Grid: ceil(num_heads * kv_lora_rank / 256) threadgroups of 256 threads;
// neighbouring threads read neighbouring columns.
// Threadgroup memory: none.
// Writes: thread i writes element i of q_prime; threads past the last write
// nothing.
kernel void mla_q_prime_4bit(
    device const uint*   W_packed      [[buffer(0)]],  // [num_heads * kv_b_per_head, kv_lora_rank / 8]
    device const bfloat* scales        [[buffer(1)]],  // [num_heads * kv_b_per_head, kv_lora_rank / group_size]
    device const bfloat* biases        [[buffer(2)]],
    device const float*  q_nope        [[buffer(3)]],  // [num_heads, nope]
    device float*        q_prime       [[buffer(4)]],  // [num_heads, kv_lora_rank]
    constant uint&       num_heads     [[buffer(5)]],
    constant uint&       nope          [[buffer(6)]],
    constant uint&       kv_lora_rank  [[buffer(7)]],
    constant uint&       kv_b_per_head [[buffer(8)]],
    constant uint&       group_size    [[buffer(9)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= num_heads * kv_lora_rank) {
        return;
    }
    const uint head = i / kv_lora_rank;
    const uint c = i % kv_lora_rank;
    float sum = 0.0f;
    for (uint j = 0; j < nope; j++) {
        const ulong row = ulong(head) * kv_b_per_head + j;
        sum += q_nope[ulong(head) * nope + j] * weight_4bit(W_packed, scales, biases, row, c, kv_lora_rank, group_size);
    }
    q_prime[i] = sum;
}

// Unfolds the value up-projection from the attended latent row:
//
//     out_per_head[h, f] = sum_c v_combine[h, c] * W[h * kv_b_per_head + nope + f, c]
//
// Grid: num_heads * v_head_dim threadgroups of 32 threads, one simdgroup for
// each output; its lanes stride over the words of the row.
// Threadgroup memory: none.
// Writes: lane 0 of threadgroup b writes element b of out_per_head.
kernel void mla_out_per_head_4bit(
    device const uint*   W_packed      [[buffer(0)]],  // [num_heads * kv_b_per_head, kv_lora_rank / 8]
    device const bfloat* scales        [[buffer(1)]],  // [num_heads * kv_b_per_head, kv_lora_rank / group_size]
    device const bfloat* biases        [[buffer(2)]],
    device const float*  v_combine     [[buffer(3)]],  // [num_heads, kv_lora_rank]
    device float*        out_per_head  [[buffer(4)]],  // [num_heads, v_head_dim]
    constant uint&       num_heads     [[buffer(5)]],
    constant uint&       nope          [[buffer(6)]],
    constant uint&       kv_lora_rank  [[buffer(7)]],
    constant uint&       v_head_dim    [[buffer(8)]],
    constant uint&       kv_b_per_head [[buffer(9)]],
    constant uint&       group_size    [[buffer(10)]],
    uint flat [[threadgroup_position_in_grid]],
    uint lane [[thread_index_in_simdgroup]])
{
    // The output is the same for the whole threadgroup: all its threads leave
    // here, or none.
    if (flat >= num_heads * v_head_dim) {
        return;
    }
    const uint head = flat / v_head_dim;
    const ulong row = ulong(head) * kv_b_per_head + nope + flat % v_head_dim;
    device const uint* words = W_packed + row * (kv_lora_rank / NIBBLES);
    device const float* v = v_combine + ulong(head) * kv_lora_rank;

    float sum = 0.0f;
    for (uint w = lane; w < kv_lora_rank / NIBBLES; w += SIMD_WIDTH) {
        const uint packed = words[w];
        const ulong group = row * (kv_lora_rank / group_size) + w * NIBBLES / group_size;
        const float scale = float(scales[group]);
        const float bias = float(biases[group]);
        for (uint j = 0; j < NIBBLES; j++) {
            const float value = v[w * NIBBLES + j];
            sum += float((packed >> (4 * j)) & 15u) * (scale * value) + bias * value;
        }
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        out_per_head[flat] = sum;
    }
}

// The scores of positions 0 ... length - 1 of a cache. A simdgroup takes every
// simdgroups-th position; its lanes stride over the channels, so that a row is
// read in whole cache lines. A barrier has to follow before scores are read.
static inline void score_positions(
    threadgroup float*  scores,   // [length]
    device const float* q_latent, // [rank]
    device const float* q_rope,   // [rope]
    device const float* latent,   // [length, rank]
    device const float* rope_k,   // [length, rope]
    uint rank,
    uint rope,
    uint length,
    float softmax_scale,
    uint lane,
    uint simdgroup,
    uint simdgroups)
{
    for (uint t = simdgroup; t < length; t += simdgroups) {
        device const float* latent_row = latent + ulong(t) * rank;
        device const float* rope_row = rope_k + ulong(t) * rope;
        float dot = 0.0f;
        for (uint c = lane; c < rank; c += SIMD_WIDTH) {
            dot += q_latent[c] * latent_row[c];
        }
        for (uint c = lane; c < rope; c += SIMD_WIDTH) {
            dot += q_rope[c] * rope_row[c];
        }
        dot = simd_sum(dot);
        if (lane == 0) {
            scores[t] = softmax_scale * dot;
        }
    }
}

// The largest of scores, in every thread, and -inf for none. Every thread of the
// threadgroup has to call it.
static inline float largest_score(
    threadgroup const float* scores,  // [length]
    threadgroup float* partial,       // [simdgroups]
    uint length,
    uint thread_id,
    uint threads,
    uint lane,
    uint simdgroup,
    uint simdgroups)
{
    float largest = LOWEST;
    for (uint t = thread_id; t < length; t += threads) {
        largest = max(largest, scores[t]);
    }
    largest = simd_max(largest);
    if (lane == 0) {
        partial[simdgroup] = largest;
    }
    // Orders the simdgroups' maxima before every simdgroup reads them all.
    threadgroup_barrier(mem_flags::mem_threadgroup);
    return simd_max(lane < simdgroups ? partial[lane] : float(LOWEST));
}

// Turns scores into weights exp(score - highest) and returns their sum in every
// thread. A thread overwrites just the scores that it also read itself in
// largest_score. On return the weights can be read by all threads. Every thread
// of the threadgroup has to call it.
static inline float weigh_scores(
    threadgroup float* scores,   // [length]
    threadgroup float* partial,  // [simdgroups]
    float highest,
    uint length,
    uint thread_id,
    uint threads,
    uint lane,
    uint simdgroup,
    uint simdgroups)
{
    float sum = 0.0f;
    for (uint t = thread_id; t < length; t += threads) {
        const float score = scores[t];
        const float weight = score <= LOWEST ? 0.0f : exp(score - highest);
        scores[t] = weight;
        sum += weight;
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        partial[simdgroup] = sum;
    }
    // Orders the weights and the simdgroups' sums before the reads of all
    // threads.
    threadgroup_barrier(mem_flags::mem_threadgroup);
    return simd_sum(lane < simdgroups ? partial[lane] : 0.0f);
}

// Channel c of the weighted sum of latent rows.
static inline float weighted_rows(
    threadgroup const float* weights,  // [length]
    device const float* latent,        // [length, rank]
    uint rank,
    uint length,
    uint c)
{
    float v = 0.0f;
    for (uint t = 0; t < length; t++) {
        v += weights[t] * latent[ulong(t) * rank + c];
    }
    return v;
}

// Attention over a whole cache of at most 4096 positions, in one launch.
//
// Grid: num_heads threadgroups of 128 threads; threadgroup h serves head h.
// Threadgroup memory: the scores, later the weights; two partial results for
// each simdgroup.
// Writes: thread c of threadgroup h writes v_combine[h, c], [h, c + 128], ...
kernel void mla_sdpa_folded(
    device const float* q_prime          [[buffer(0)]],  // [num_heads, kv_lora_rank]
    device const float* q_pe             [[buffer(1)]],  // [num_heads, qk_rope_head_dim]
    device const float* latent_cache     [[buffer(2)]],  // [cache_len, kv_lora_rank]
    device const float* rope_k_cache     [[buffer(3)]],  // [cache_len, qk_rope_head_dim]
    device float*       v_combine        [[buffer(4)]],  // [num_heads, kv_lora_rank]
    constant uint&      num_heads        [[buffer(5)]],
    constant uint&      kv_lora_rank     [[buffer(6)]],
    constant uint&      qk_rope_head_dim [[buffer(7)]],
    constant uint&      cache_len        [[buffer(8)]],
    constant float&     softmax_scale    [[buffer(9)]],
    uint head       [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float weights[MAX_TILE];
    threadgroup float partial_max[MAX_SIMDGROUPS];
    threadgroup float partial_sum[MAX_SIMDGROUPS];

    // The head is the same for the whole threadgroup: all its threads leave
    // here, or none.
    if (head >= num_heads) {
        return;
    }
    score_positions(
        weights, q_prime + ulong(head) * kv_lora_rank, q_pe + ulong(head) * qk_rope_head_dim,
        latent_cache, rope_k_cache, kv_lora_rank, qk_rope_head_dim, cache_len, softmax_scale,
        lane, simdgroup, simdgroups);
    // Orders the scores, written by lane 0 of the simdgroup that computed them,
    // before the reads of all threads.
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const float largest = largest_score(
        weights, partial_max, cache_len, thread_id, threads, lane, simdgroup, simdgroups);
    const float sum = weigh_scores(
        weights, partial_sum, largest, cache_len, thread_id, threads, lane, simdgroup, simdgroups);

    for (uint c = thread_id; c < kv_lora_rank; c += threads) {
        v_combine[ulong(head) * kv_lora_rank + c] =
            weighted_rows(weights, latent_cache, kv_lora_rank, cache_len, c) / sum;
    }
}

// One tile of attention with online softmax. The state of head h between
// launches is the largest score so far m = running_max[h], the denominator
// l = running_denom[h] and the weighted rows V = v_combine_partial[h], both
// relative to m. A tile with scores s makes of it
//
//     M = max(m, max_t s[t])
//     l = l * exp(m - M) + sum_t exp(s[t] - M)
//     V = V * exp(m - M) + sum_t exp(s[t] - M) * L[t]
//     m = M
//
// Before the first tile the state is (-inf, 0, 0), whatever the buffers hold.
// As long as no score was above -inf, M is -inf and M - M has no value: the
// exponentials of -inf are then taken as the zeros that they stand for. A tile
// without positions leaves the state as it was.
//
// Grid: num_heads threadgroups of 128 threads; threadgroup h serves head h. The
// tile is the positions tile_start ... tile_end - 1, at most 4096 of them.
// Threadgroup memory: the tile's scores, later its weights; one partial result
// for each simdgroup; the state (m, l) that was carried in.
// Writes: thread c of threadgroup h writes v_combine_partial[h, c],
// [h, c + 128], ...; its thread 0 writes running_max[h] and running_denom[h].
kernel void mla_sdpa_tile_accumulate(
    device const float* q_prime           [[buffer(0)]],  // [num_heads, kv_lora_rank]
    device const float* q_pe              [[buffer(1)]],  // [num_heads, qk_rope_head_dim]
    device const float* latent_cache      [[buffer(2)]],  // [positions, kv_lora_rank]
    device const float* rope_k_cache      [[buffer(3)]],  // [positions, qk_rope_head_dim]
    device float*       running_max       [[buffer(4)]],  // [num_heads]
    device float*       running_denom     [[buffer(5)]],  // [num_heads]
    device float*       v_combine_partial [[buffer(6)]],  // [num_heads, kv_lora_rank]
    constant uint&      num_heads         [[buffer(7)]],
    constant uint&      kv_lora_rank      [[buffer(8)]],
    constant uint&      qk_rope_head_dim  [[buffer(9)]],
    constant uint&      tile_start        [[buffer(10)]],
    constant uint&      tile_end          [[buffer(11)]],
    constant float&     softmax_scale     [[buffer(12)]],
    constant uint&      is_first_tile     [[buffer(13)]],
    uint head       [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float weights[MAX_TILE];
    threadgroup float partial_max[MAX_SIMDGROUPS];
    threadgroup float partial_sum[MAX_SIMDGROUPS];
    threadgroup float carried_max;
    threadgroup float carried_denom;

    const bool first = is_first_tile != 0;
    const uint length = tile_end > tile_start ? tile_end - tile_start : 0;

    // The head and the tile are the same for the whole threadgroup: all its
    // threads leave at one of these, or none.
    if (head >= num_heads) {
        return;
    }
    if (length == 0 && !first) {
        return;
    }

    // Thread 0 alone touches the head's m and l in device memory, so that no
    // thread reads there what another one writes.
    if (thread_id == 0) {
        carried_max = first ? float(LOWEST) : running_max[head];
        carried_denom = first ? 0.0f : running_denom[head];
    }

    // 1. Scores.
    device const float* tile = latent_cache + ulong(tile_start) * kv_lora_rank;
    score_positions(
        weights, q_prime + ulong(head) * kv_lora_rank, q_pe + ulong(head) * qk_rope_head_dim,
        tile, rope_k_cache + ulong(tile_start) * qk_rope_head_dim,
        kv_lora_rank, qk_rope_head_dim, length, softmax_scale, lane, simdgroup, simdgroups);
    // Orders the scores, written by lane 0 of the simdgroup that computed them,
    // and thread 0's carried state before the reads of all threads.
    threadgroup_barrier(mem_flags::mem_threadgroup);

    // 2. The new maximum M, and the weights under it.
    const float largest = largest_score(
        weights, partial_max, length, thread_id, threads, lane, simdgroup, simdgroups);
    const float new_max = max(carried_max, largest);
    const float rescale = carried_max <= LOWEST ? 0.0f : exp(carried_max - new_max);
    const float sum = weigh_scores(
        weights, partial_sum, new_max, length, thread_id, threads, lane, simdgroup, simdgroups);

    // 3. The weighted rows; neighbouring threads read neighbouring channels. The
    // tile is summed by itself: added one by one to what is carried in, each of
    // its rows would be rounded to that.
    device float* v_head = v_combine_partial + ulong(head) * kv_lora_rank;
    for (uint c = thread_id; c < kv_lora_rank; c += threads) {
        const float v = weighted_rows(weights, tile, kv_lora_rank, length, c);
        v_head[c] = first ? v : v_head[c] * rescale + v;
    }

    if (thread_id == 0) {
        running_max[head] = new_max <= LOWEST ? -INFINITY : new_max;
        running_denom[head] = carried_denom * rescale + sum;
    }
}

// The end of a tiled attention, one division an element:
//
//     v_combine[h, c] = v_combine_partial[h, c] / running_denom[h]
//
// and 0 where running_denom[h] is 0, that is where no position had any weight.
//
// Grid: ceil(num_heads * kv_lora_rank / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes element i of v_combine; threads past the last element
// write nothing.
kernel void mla_sdpa_tile_finalize(
    device const float* v_combine_partial [[buffer(0)]],  // [num_heads, kv_lora_rank]
    device const float* running_denom     [[buffer(1)]],  // [num_heads]
    device float*       v_combine         [[buffer(2)]],  // [num_heads, kv_lora_rank]
    constant uint&      num_heads         [[buffer(3)]],
    constant uint&      kv_lora_rank      [[buffer(4)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= num_heads * kv_lora_rank) {
        return;
    }
    const float denom = running_denom[i / kv_lora_rank];
    v_combine[i] = denom == 0.0f ? 0.0f : v_combine_partial[i] / denom;
}
