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

// Threads of a simdgroup.
constant constexpr uint SIMD_WIDTH = 32;

// A threadgroup has at most 1024 threads, that is 32 simdgroups.
constant constexpr uint MAX_SIMDGROUPS = 32;

// Scores of one tile kept in threadgroup memory: 16 KB.
constant constexpr uint MAX_TILE = 4096;

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
        carried_max = first ? -INFINITY : running_max[head];
        carried_denom = first ? 0.0f : running_denom[head];
    }

    // 1. Scores. A simdgroup takes every simdgroups-th position; its lanes
    // stride over the channels, so that a row is read in whole cache lines.
    device const float* q_latent = q_prime + ulong(head) * kv_lora_rank;
    device const float* q_rope = q_pe + ulong(head) * qk_rope_head_dim;
    for (uint t = simdgroup; t < length; t += simdgroups) {
        const ulong position = ulong(tile_start) + t;
        device const float* latent = latent_cache + position * kv_lora_rank;
        device const float* rope_k = rope_k_cache + position * qk_rope_head_dim;
        float dot = 0.0f;
        for (uint c = lane; c < kv_lora_rank; c += SIMD_WIDTH) {
            dot += q_latent[c] * latent[c];
        }
        for (uint c = lane; c < qk_rope_head_dim; c += SIMD_WIDTH) {
            dot += q_rope[c] * rope_k[c];
        }
        dot = simd_sum(dot);
        if (lane == 0) {
            weights[t] = softmax_scale * dot;
        }
    }
    // Orders the scores, written by lane 0 of the simdgroup that computed them,
    // and thread 0's carried state before the reads of all threads.
    threadgroup_barrier(mem_flags::mem_threadgroup);

    // 2. The new maximum M, in every thread.
    float largest = -INFINITY;
    for (uint t = thread_id; t < length; t += threads) {
        largest = max(largest, weights[t]);
    }
    largest = simd_max(largest);
    if (lane == 0) {
        partial_max[simdgroup] = largest;
    }
    // Orders the simdgroups' maxima before every simdgroup reads them all.
    threadgroup_barrier(mem_flags::mem_threadgroup);
    largest = simd_max(lane < simdgroups ? partial_max[lane] : -INFINITY);

    const float new_max = max(carried_max, largest);
    const float rescale = carried_max == -INFINITY ? 0.0f : exp(carried_max - new_max);

    // 3. Weights, in place of the scores: a thread overwrites just the ones that
    // it read itself in pass 2.
    float sum = 0.0f;
    for (uint t = thread_id; t < length; t += threads) {
        const float score = weights[t];
        const float weight = score == -INFINITY ? 0.0f : exp(score - new_max);
        weights[t] = weight;
        sum += weight;
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        partial_sum[simdgroup] = sum;
    }
    // Orders the weights and the simdgroups' sums before the reads of all
    // threads.
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum = simd_sum(lane < simdgroups ? partial_sum[lane] : 0.0f);

    // 4. The weighted rows; neighbouring threads read neighbouring channels. The
    // tile is summed by itself: added one by one to what is carried in, each of
    // its rows would be rounded to that.
    device const float* tile = latent_cache + ulong(tile_start) * kv_lora_rank;
    device float* v_head = v_combine_partial + ulong(head) * kv_lora_rank;
    for (uint c = thread_id; c < kv_lora_rank; c += threads) {
        float v = 0.0f;
        for (uint t = 0; t < length; t++) {
            v += weights[t] * tile[ulong(t) * kv_lora_rank + c];
        }
        v_head[c] = first ? v : v_head[c] * rescale + v;
    }

    if (thread_id == 0) {
        running_max[head] = new_max;
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
