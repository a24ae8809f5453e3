// Products with quantised weight matrices.
//
// A row of W holds b-bit values, packed into 32-bit words from the low bits up.
// group_size neighbouring values share a bf16 scale s and a bf16 bias c, and
// value q stands for the weight q * s + c. Products and sums are f32.

#include <metal_stdlib>
using namespace metal;

// Threads of a simdgroup.
constant constexpr uint SIMD_WIDTH = 32;

// 4-bit values in one word.
constant constexpr uint NIBBLES = 8;

// Rows that one threadgroup of 256 threads computes, one for each simdgroup.
constant constexpr uint ROWS_PER_THREADGROUP = 8;

// The longest input that the kernels with a staged input take: 16 KB of
// threadgroup memory.
constant constexpr uint MAX_STAGED_INPUT = 4096;

// Copies the input x into threadgroup memory. Every thread of the threadgroup
// has to call it, those of rows past the last too, and a barrier has to follow
// before staged is read.
static inline void stage_input(
    threadgroup float* staged,  // [in_dim]
    device const float* x,      // [in_dim]
    uint in_dim,
    uint thread_id,
    uint threads)
{
    for (uint i = thread_id; i < in_dim; i += threads) {
        staged[i] = x[i];
    }
}

// The product of one row of 4-bit weights with the staged input, the same in
// all lanes. The lanes of the simdgroup stride over the words of the row, so
// that neighbouring lanes load neighbouring words.
//
//     (q s + c) x = fma(q, s x, c x)
//
// The single-token and the multi-token kernel both sum by this function: their
// results for one token are the same bits.
static inline float dot_row_4bit(
    device const uint*   words,   // [in_dim / 8]
    device const bfloat* scales,  // [in_dim / group_size]
    device const bfloat* biases,  // [in_dim / group_size]
    threadgroup const float* x,   // [in_dim]
    uint in_dim,
    uint group_size,
    uint lane)
{
    const uint num_words = in_dim / NIBBLES;
    const uint words_per_group = group_size / NIBBLES;

    float sum = 0.0f;
    for (uint w = lane; w < num_words; w += SIMD_WIDTH) {
        const uint packed = words[w];
        const uint group = w / words_per_group;
        const float scale = float(scales[group]);
        const float bias = float(biases[group]);
        for (uint j = 0; j < NIBBLES; j++) {
            const float nibble = float((packed >> (4 * j)) & 15u);
            const float value = x[w * NIBBLES + j];
            sum += fma(nibble, scale * value, bias * value);
        }
    }
    return simd_sum(sum);
}

// 4-bit matrix-vector product, one simdgroup a row:
//
//     out[r] = sum_i (q[r, i] * s[r, i / group_size] + c[r, i / group_size]) * x[i]
//
// Grid: ceil(out_dim / 8) threadgroups of 256 threads. in_dim <= 4096.
// Threadgroup memory: the input, staged once for the eight rows.
// Writes: lane 0 of simdgroup s of threadgroup b writes out[8 b + s].
kernel void dequant_matvec_4bit_v3(
    device const uint*   W_packed   [[buffer(0)]],  // [out_dim, in_dim / 8]
    device const bfloat* scales     [[buffer(1)]],  // [out_dim, in_dim / group_size]
    device const bfloat* biases     [[buffer(2)]],  // [out_dim, in_dim / group_size]
    device const float*  x          [[buffer(3)]],  // [in_dim]
    device float*        out        [[buffer(4)]],  // [out_dim]
    constant uint&       out_dim    [[buffer(5)]],
    constant uint&       in_dim     [[buffer(6)]],
    constant uint&       group_size [[buffer(7)]],
    uint row_tile  [[threadgroup_position_in_grid]],
    uint thread_id [[thread_index_in_threadgroup]],
    uint threads   [[threads_per_threadgroup]],
    uint lane      [[thread_index_in_simdgroup]],
    uint simdgroup [[simdgroup_index_in_threadgroup]])
{
    threadgroup float staged[MAX_STAGED_INPUT];
    stage_input(staged, x, in_dim, thread_id, threads);
    // Orders the writes of staged, spread over all threads, before the reads of
    // every simdgroup. No thread may leave before it, not even one whose row
    // does not exist: its part of the input would be missing.
    threadgroup_barrier(mem_flags::mem_threadgroup);

    const uint row = row_tile * ROWS_PER_THREADGROUP + simdgroup;
    if (row >= out_dim) {
        return;
    }

    const uint num_groups = in_dim / group_size;
    const float sum = dot_row_4bit(
        W_packed + ulong(row) * (in_dim / NIBBLES),
        scales + ulong(row) * num_groups,
        biases + ulong(row) * num_groups,
        staged, in_dim, group_size, lane);
    if (lane == 0) {
        out[row] = sum;
    }
}

// 4-bit product of several tokens with one matrix; each (row, token) sums as
// dequant_matvec_4bit_v3 does, to the same bits:
//
//     out[t, r] = sum_i (q[r, i] * s[r, i / group_size] + c[r, i / group_size]) * x[t, i]
//
// Grid: num_row_tiles * n_tokens threadgroups of 256 threads, where
// num_row_tiles = ceil(out_dim / 8); threadgroup b computes row tile
// b % num_row_tiles of token b / num_row_tiles. in_dim <= 4096.
// Threadgroup memory: one token's input, staged once for the eight rows.
// Writes: lane 0 of simdgroup s writes out[t, 8 * row_tile + s].
kernel void dequant_matvec_4bit_v3_n_tokens(
    device const uint*   W_packed      [[buffer(0)]],  // [out_dim, in_dim / 8]
    device const bfloat* scales        [[buffer(1)]],  // [out_dim, in_dim / group_size]
    device const bfloat* biases        [[buffer(2)]],  // [out_dim, in_dim / group_size]
    device const float*  x_inputs      [[buffer(3)]],  // [n_tokens, in_dim]
    device float*        out           [[buffer(4)]],  // [n_tokens, out_dim]
    constant uint&       out_dim       [[buffer(5)]],
    constant uint&       in_dim        [[buffer(6)]],
    constant uint&       group_size    [[buffer(7)]],
    constant uint&       n_tokens      [[buffer(8)]],
    constant uint&       num_row_tiles [[buffer(9)]],
    uint flat      [[threadgroup_position_in_grid]],
    uint thread_id [[thread_index_in_threadgroup]],
    uint threads   [[threads_per_threadgroup]],
    uint lane      [[thread_index_in_simdgroup]],
    uint simdgroup [[simdgroup_index_in_threadgroup]])
{
    threadgroup float staged[MAX_STAGED_INPUT];

    const uint token = flat / num_row_tiles;
    const uint row = (flat % num_row_tiles) * ROWS_PER_THREADGROUP + simdgroup;
    // The token is the same for the whole threadgroup: all its threads leave
    // here, or none.
    if (token >= n_tokens) {
        return;
    }

    stage_input(staged, x_inputs + ulong(token) * in_dim, in_dim, thread_id, threads);
    // Orders the writes of staged, spread over all threads, before the reads of
    // every simdgroup; the row is checked after it, so that all threads stage.
    threadgroup_barrier(mem_flags::mem_threadgroup);

    if (row >= out_dim) {
        return;
    }

    const uint num_groups = in_dim / group_size;
    const float sum = dot_row_4bit(
        W_packed + ulong(row) * (in_dim / NIBBLES),
        scales + ulong(row) * num_groups,
        biases + ulong(row) * num_groups,
        staged, in_dim, group_size, lane);
    if (lane == 0) {
        out[ulong(token) * out_dim + row] = sum;
    }
}
