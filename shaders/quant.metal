// Products with quantised and with bf16 weight matrices, and the casts.
//
// A row of a quantised W holds b-bit values, packed into 32-bit words from the
// low bits up. group_size neighbouring values share a bf16 scale s and a bf16
// bias c, and value q stands for the weight q * s + c. Products and sums are
// f32.
//
// Where a single-token and a multi-token kernel have to give the same bits, both
// sum by one function, in which fma is written out: what a compiler fuses of its
// own accord need not be the same in two kernels.

#include <metal_stdlib>
using namespace metal;

// Threads of a simdgroup.
constant constexpr uint SIMD_WIDTH = 32;

// A threadgroup has at most 1024 threads, that is 32 simdgroups.
constant constexpr uint MAX_SIMDGROUPS = 32;

// 4-bit values in one word.
constant constexpr uint NIBBLES = 8;

// Rows that one threadgroup of 256 threads computes, one for each simdgroup.
constant constexpr uint ROWS_PER_THREADGROUP = 8;

// The longest input that the kernels with a staged input take: 16 KB of
// threadgroup memory.
constant constexpr uint MAX_STAGED_INPUT = 4096;

// The widest threadgroup of the kernels with a tree reduction.
constant constexpr uint MAX_THREADS = 256;

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

// The product of one row of BITS-bit weights with the staged input, the same in
// all lanes. The lanes of the simdgroup stride over the words of the row, so
// that neighbouring lanes load neighbouring words.
//
//     (q s + c) x = fma(q, s x, c x)
template <uint BITS>
static inline float dot_row(
    device const uint*   words,   // [in_dim * BITS / 32]
    device const bfloat* scales,  // [in_dim / group_size]
    device const bfloat* biases,  // [in_dim / group_size]
    threadgroup const float* x,   // [in_dim]
    uint in_dim,
    uint group_size,
    uint lane)
{
    constexpr uint PER_WORD = 32 / BITS;
    constexpr uint MASK = (1u << BITS) - 1;
    const uint num_words = in_dim / PER_WORD;
    const uint words_per_group = group_size / PER_WORD;

    float sum = 0.0f;
    for (uint w = lane; w < num_words; w += SIMD_WIDTH) {
        const uint packed = words[w];
        const uint group = w / words_per_group;
        const float scale = float(scales[group]);
        const float bias = float(biases[group]);
        for (uint j = 0; j < PER_WORD; j++) {
            const float q = float((packed >> (BITS * j)) & MASK);
            const float value = x[w * PER_WORD + j];
            sum += fma(q, scale * value, bias * value);
        }
    }
    return simd_sum(sum);
}

// dot_row of row number row of a matrix.
template <uint BITS>
static inline float dot_row_of(
    device const uint*   W_packed,
    device const bfloat* scales,
    device const bfloat* biases,
    threadgroup const float* x,
    uint row,
    uint in_dim,
    uint group_size,
    uint lane)
{
    const uint num_groups = in_dim / group_size;
    return dot_row<BITS>(
        W_packed + ulong(row) * (in_dim * BITS / 32),
        scales + ulong(row) * num_groups,
        biases + ulong(row) * num_groups,
        x, in_dim, group_size, lane);
}

// One thread's part of the product of a row of 4-bit weights with an input in
// device memory: groups first, first + stride, ... of the row.
//
//     sum over a group of (q s + c) x = s (sum of q x) + c (sum of x)
//
// Scale and bias are loaded, and multiplied in, once a group.
static inline float dot_groups_4bit(
    device const uint*   words,   // [in_dim / 8]
    device const bfloat* scales,  // [in_dim / group_size]
    device const bfloat* biases,  // [in_dim / group_size]
    device const float*  x,       // [in_dim]
    uint in_dim,
    uint group_size,
    uint first,
    uint stride)
{
    const uint num_groups = in_dim / group_size;
    const uint words_per_group = group_size / NIBBLES;

    float sum = 0.0f;
    for (uint group = first; group < num_groups; group += stride) {
        float sum_qx = 0.0f;
        float sum_x = 0.0f;
        for (uint w = group * words_per_group; w < (group + 1) * words_per_group; w++) {
            const uint packed = words[w];
            for (uint j = 0; j < NIBBLES; j++) {
                const float value = x[w * NIBBLES + j];
                sum_qx = fma(float((packed >> (4 * j)) & 15u), value, sum_qx);
                sum_x += value;
            }
        }
        sum += fma(float(scales[group]), sum_qx, float(biases[group]) * sum_x);
    }
    return sum;
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

// 4-bit matrix-vector product, the plain form:
//
//     out[r] = sum_i (q[r, i] * s[r, i / group_size] + c[r, i / group_size]) * x[i]
//
// Grid: ceil(out_dim / 256) threadgroups of 256 threads, one thread a row.
// Threadgroup memory: none.
// Writes: thread r writes out[r]; threads past the last row write nothing.
kernel void dequant_matvec_4bit(
    device const uint*   W_packed   [[buffer(0)]],  // [out_dim, in_dim / 8]
    device const bfloat* scales     [[buffer(1)]],  // [out_dim, in_dim / group_size]
    device const bfloat* biases     [[buffer(2)]],  // [out_dim, in_dim / group_size]
    device const float*  x          [[buffer(3)]],  // [in_dim]
    device float*        out        [[buffer(4)]],  // [out_dim]
    constant uint&       out_dim    [[buffer(5)]],
    constant uint&       in_dim     [[buffer(6)]],
    constant uint&       group_size [[buffer(7)]],
    uint row [[thread_position_in_grid]])
{
    if (row >= out_dim) {
        return;
    }
    const uint num_groups = in_dim / group_size;
    out[row] = dot_groups_4bit(
        W_packed + ulong(row) * (in_dim / NIBBLES),
        scales + ulong(row) * num_groups,
        biases + ulong(row) * num_groups,
        x, in_dim, group_size, 0, 1);
}

// 4-bit matrix-vector product, one threadgroup a row, for inputs of any length.
//
// Grid: out_dim threadgroups of 64 threads (any multiple of 32 up to 1024); the
// threads stride over the groups of the row.
// Threadgroup memory: one partial sum for each simdgroup.
// Writes: thread 0 of threadgroup r writes out[r].
kernel void dequant_matvec_4bit_fast(
    device const uint*   W_packed   [[buffer(0)]],  // [out_dim, in_dim / 8]
    device const bfloat* scales     [[buffer(1)]],  // [out_dim, in_dim / group_size]
    device const bfloat* biases     [[buffer(2)]],  // [out_dim, in_dim / group_size]
    device const float*  x          [[buffer(3)]],  // [in_dim]
    device float*        out        [[buffer(4)]],  // [out_dim]
    constant uint&       out_dim    [[buffer(5)]],
    constant uint&       in_dim     [[buffer(6)]],
    constant uint&       group_size [[buffer(7)]],
    uint row        [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float partial[MAX_SIMDGROUPS];

    // The row is the same for the whole threadgroup: all its threads leave here,
    // or none.
    if (row >= out_dim) {
        return;
    }
    const uint num_groups = in_dim / group_size;
    const float part = dot_groups_4bit(
        W_packed + ulong(row) * (in_dim / NIBBLES),
        scales + ulong(row) * num_groups,
        biases + ulong(row) * num_groups,
        x, in_dim, group_size, thread_id, threads);
    const float sum = threadgroup_sum(part, partial, lane, simdgroup, simdgroups);
    if (thread_id == 0) {
        out[row] = sum;
    }
}

// dequant_matvec_4bit_fast for several tokens, to the same bits.
//
// Grid: out_dim * n_tokens threadgroups of 64 threads; threadgroup b computes
// row b % out_dim of token b / out_dim.
// Threadgroup memory: one partial sum for each simdgroup.
// Writes: thread 0 of threadgroup b writes out[b / out_dim, b % out_dim].
kernel void dequant_matvec_4bit_fast_n_tokens(
    device const uint*   W_packed   [[buffer(0)]],  // [out_dim, in_dim / 8]
    device const bfloat* scales     [[buffer(1)]],  // [out_dim, in_dim / group_size]
    device const bfloat* biases     [[buffer(2)]],  // [out_dim, in_dim / group_size]
    device const float*  x_inputs   [[buffer(3)]],  // [n_tokens, in_dim]
    device float*        out        [[buffer(4)]],  // [n_tokens, out_dim]
    constant uint&       out_dim    [[buffer(5)]],
    constant uint&       in_dim     [[buffer(6)]],
    constant uint&       group_size [[buffer(7)]],
    constant uint&       n_tokens   [[buffer(8)]],
    uint flat       [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float partial[MAX_SIMDGROUPS];

    const uint row = flat % out_dim;
    const uint token = flat / out_dim;
    // The token is the same for the whole threadgroup: all its threads leave
    // here, or none.
    if (token >= n_tokens) {
        return;
    }
    const uint num_groups = in_dim / group_size;
    const float part = dot_groups_4bit(
        W_packed + ulong(row) * (in_dim / NIBBLES),
        scales + ulong(row) * num_groups,
        biases + ulong(row) * num_groups,
        x_inputs + ulong(token) * in_dim, in_dim, group_size, thread_id, threads);
    const float sum = threadgroup_sum(part, partial, lane, simdgroup, simdgroups);
    if (thread_id == 0) {
        out[flat] = sum;
    }
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
    const float sum = dot_row_of<4>(W_packed, scales, biases, staged, row, in_dim, group_size, lane);
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
    const float sum = dot_row_of<4>(W_packed, scales, biases, staged, row, in_dim, group_size, lane);
    if (lane == 0) {
        out[ulong(token) * out_dim + row] = sum;
    }
}

// 4-bit matrix-vector product with 128-bit loads: a lane takes four words, 32
// values, at a time. in_dim is a multiple of 32, so that every row begins at a
// multiple of 16 bytes.
//
// Grid: ceil(out_dim / 8) threadgroups of 256 threads, one simdgroup a row.
// in_dim <= 4096.
// Threadgroup memory: the input, staged once for the eight rows.
// Writes: lane 0 of simdgroup s of threadgroup b writes out[8 b + s].
kernel void dequant_matvec_4bit_v4(
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
    // every simdgroup; no thread may leave before it.
    threadgroup_barrier(mem_flags::mem_threadgroup);

    const uint row = row_tile * ROWS_PER_THREADGROUP + simdgroup;
    if (row >= out_dim) {
        return;
    }

    const uint num_quads = in_dim / (4 * NIBBLES);
    const uint num_groups = in_dim / group_size;
    const uint words_per_group = group_size / NIBBLES;
    device const uint4* quads = (device const uint4*)(W_packed + ulong(row) * (in_dim / NIBBLES));
    device const bfloat* row_scales = scales + ulong(row) * num_groups;
    device const bfloat* row_biases = biases + ulong(row) * num_groups;

    float sum = 0.0f;
    for (uint w = lane; w < num_quads; w += SIMD_WIDTH) {
        const uint4 packed = quads[w];
        for (uint i = 0; i < 4; i++) {
            const uint word = 4 * w + i;
            const uint group = word / words_per_group;
            const float scale = float(row_scales[group]);
            const float bias = float(row_biases[group]);
            for (uint j = 0; j < NIBBLES; j++) {
                const float q = float((packed[i] >> (4 * j)) & 15u);
                const float value = staged[word * NIBBLES + j];
                sum += q * (scale * value) + bias * value;
            }
        }
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        out[row] = sum;
    }
}

// 4-bit matrix-vector product by tables: the sixteen weights that a group can
// hold are computed once a group, and a value looks its weight up. A lane takes
// whole groups.
//
// Grid: ceil(out_dim / 8) threadgroups of 256 threads, one simdgroup a row.
// in_dim <= 4096.
// Threadgroup memory: the input, staged once for the eight rows.
// Writes: lane 0 of simdgroup s of threadgroup b writes out[8 b + s].
kernel void dequant_matvec_4bit_v5(
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
    // every simdgroup; no thread may leave before it.
    threadgroup_barrier(mem_flags::mem_threadgroup);

    const uint row = row_tile * ROWS_PER_THREADGROUP + simdgroup;
    if (row >= out_dim) {
        return;
    }

    const uint num_groups = in_dim / group_size;
    const uint words_per_group = group_size / NIBBLES;
    device const uint* words = W_packed + ulong(row) * (in_dim / NIBBLES);

    float sum = 0.0f;
    for (uint group = lane; group < num_groups; group += SIMD_WIDTH) {
        const float scale = float(scales[ulong(row) * num_groups + group]);
        const float bias = float(biases[ulong(row) * num_groups + group]);
        float weights[16];
        for (uint q = 0; q < 16; q++) {
            weights[q] = fma(float(q), scale, bias);
        }
        for (uint w = group * words_per_group; w < (group + 1) * words_per_group; w++) {
            const uint packed = words[w];
            for (uint j = 0; j < NIBBLES; j++) {
                sum = fma(weights[(packed >> (4 * j)) & 15u], staged[w * NIBBLES + j], sum);
            }
        }
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        out[row] = sum;
    }
}

// 2-bit matrix-vector product, one simdgroup a row:
//
//     out[r] = sum_i (q[r, i] * s[r, i / group_size] + c[r, i / group_size]) * x[i]
//
// Grid: ceil(out_dim / 8) threadgroups of 256 threads. in_dim <= 4096.
// Threadgroup memory: the input, staged once for the eight rows.
// Writes: lane 0 of simdgroup s of threadgroup b writes out[8 b + s].
kernel void dequant_matvec_2bit(
    device const uint*   W_packed   [[buffer(0)]],  // [out_dim, in_dim / 16]
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
    const float sum = dot_row_of<2>(W_packed, scales, biases, staged, row, in_dim, group_size, lane);
    if (lane == 0) {
        out[row] = sum;
    }
}

// 8-bit matrix-vector product, one simdgroup a row:
//
//     out[r] = sum_i (q[r, i] * s[r, i / group_size] + c[r, i / group_size]) * x[i]
//
// Grid: ceil(out_dim / 8) threadgroups of 256 threads. in_dim <= 4096.
// Threadgroup memory: the input, staged once for the eight rows.
// Writes: lane 0 of simdgroup s of threadgroup b writes out[8 b + s].
kernel void dequant_matvec_8bit_v3(
    device const uint*   W_packed   [[buffer(0)]],  // [out_dim, in_dim / 4]
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
    const float sum = dot_row_of<8>(W_packed, scales, biases, staged, row, in_dim, group_size, lane);
    if (lane == 0) {
        out[row] = sum;
    }
}

// 8-bit product of several tokens with one matrix; each (row, token) sums as
// dequant_matvec_8bit_v3 does, to the same bits:
//
//     out[t, r] = sum_i (q[r, i] * s[r, i / group_size] + c[r, i / group_size]) * x[t, i]
//
// Grid: num_row_tiles * n_tokens threadgroups of 256 threads, where
// num_row_tiles = ceil(out_dim / 8); threadgroup b computes row tile
// b % num_row_tiles of token b / num_row_tiles. in_dim <= 4096.
// Threadgroup memory: one token's input, staged once for the eight rows.
// Writes: lane 0 of simdgroup s writes out[t, 8 * row_tile + s].
kernel void dequant_matvec_8bit_v3_n_tokens(
    device const uint*   W_packed      [[buffer(0)]],  // [out_dim, in_dim / 4]
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
    const float sum = dot_row_of<8>(W_packed, scales, biases, staged, row, in_dim, group_size, lane);
    if (lane == 0) {
        out[ulong(token) * out_dim + row] = sum;
    }
}

// 4-bit products of K experts, each with its own matrix and its own input. The
// experts' data lie in three arrays, and the offsets say where each one begins.
//
//     out[k, r] = row r of W_k . x_inputs[k]
//
// Grid: num_row_tiles * K threadgroups of 256 threads, where num_row_tiles =
// ceil(out_dim / 8); threadgroup b computes row tile b % num_row_tiles of expert
// b / num_row_tiles. in_dim <= 4096.
// Threadgroup memory: one expert's input, staged once for the eight rows.
// Writes: lane 0 of simdgroup s writes out[k, 8 * row_tile + s].
kernel void dequant_matvec_4bit_batched(
    device const uint*   W_packed      [[buffer(0)]],
    device const bfloat* scales        [[buffer(1)]],
    device const bfloat* biases        [[buffer(2)]],
    device const float*  x_inputs      [[buffer(3)]],  // [K, in_dim]
    device float*        out           [[buffer(4)]],  // [K, out_dim]
    constant uint&       out_dim       [[buffer(5)]],
    constant uint&       in_dim        [[buffer(6)]],
    constant uint&       group_size    [[buffer(7)]],
    device const uint*   w_offsets     [[buffer(8)]],   // [K], in words
    device const uint*   s_offsets     [[buffer(9)]],   // [K], in scales
    device const uint*   b_offsets     [[buffer(10)]],  // [K], in biases
    constant uint&       num_row_tiles [[buffer(11)]],
    uint flat      [[threadgroup_position_in_grid]],
    uint thread_id [[thread_index_in_threadgroup]],
    uint threads   [[threads_per_threadgroup]],
    uint lane      [[thread_index_in_simdgroup]],
    uint simdgroup [[simdgroup_index_in_threadgroup]])
{
    threadgroup float staged[MAX_STAGED_INPUT];

    const uint expert = flat / num_row_tiles;
    const uint row = (flat % num_row_tiles) * ROWS_PER_THREADGROUP + simdgroup;

    stage_input(staged, x_inputs + ulong(expert) * in_dim, in_dim, thread_id, threads);
    // Orders the writes of staged, spread over all threads, before the reads of
    // every simdgroup; the row is checked after it, so that all threads stage.
    threadgroup_barrier(mem_flags::mem_threadgroup);

    if (row >= out_dim) {
        return;
    }
    const float sum = dot_row_of<4>(
        W_packed + w_offsets[expert], scales + s_offsets[expert], biases + b_offsets[expert],
        staged, row, in_dim, group_size, lane);
    if (lane == 0) {
        out[ulong(expert) * out_dim + row] = sum;
    }
}

// 4-bit products of up to eight experts, each a blob of its own that holds
// words, scales and biases at the same byte offsets.
//
//     out[k, r] = row r of W_k . x[k * input_stride ...]
//
// Grid: num_row_tiles * k_active threadgroups of 256 threads, where
// num_row_tiles = ceil(out_dim / 8); threadgroup b computes row tile
// b % num_row_tiles of expert b / num_row_tiles. in_dim <= 4096, k_active <= 8.
// Threadgroup memory: one expert's input, staged once for the eight rows.
// Writes: lane 0 of simdgroup s writes out[k, 8 * row_tile + s].
kernel void dequant_matvec_4bit_v3_experts(
    device const uchar* blob0         [[buffer(0)]],
    device const uchar* blob1         [[buffer(1)]],
    device const uchar* blob2         [[buffer(2)]],
    device const uchar* blob3         [[buffer(3)]],
    device const uchar* blob4         [[buffer(4)]],
    device const uchar* blob5         [[buffer(5)]],
    device const uchar* blob6         [[buffer(6)]],
    device const uchar* blob7         [[buffer(7)]],
    device const float* x             [[buffer(8)]],
    device float*       out           [[buffer(9)]],   // [k_active, out_dim]
    constant uint&      out_dim       [[buffer(10)]],
    constant uint&      in_dim        [[buffer(11)]],
    constant uint&      group_size    [[buffer(12)]],
    constant uint&      w_byte_off    [[buffer(13)]],  // a multiple of 4
    constant uint&      s_byte_off    [[buffer(14)]],  // a multiple of 2
    constant uint&      b_byte_off    [[buffer(15)]],  // a multiple of 2
    constant uint&      num_row_tiles [[buffer(16)]],
    constant uint&      k_active      [[buffer(17)]],
    constant uint&      input_stride  [[buffer(18)]],  // 0: all experts share one input
    uint flat      [[threadgroup_position_in_grid]],
    uint thread_id [[thread_index_in_threadgroup]],
    uint threads   [[threads_per_threadgroup]],
    uint lane      [[thread_index_in_simdgroup]],
    uint simdgroup [[simdgroup_index_in_threadgroup]])
{
    threadgroup float staged[MAX_STAGED_INPUT];

    const uint expert = flat / num_row_tiles;
    const uint row = (flat % num_row_tiles) * ROWS_PER_THREADGROUP + simdgroup;
    // The expert is the same for the whole threadgroup: all its threads leave
    // here, or none.
    if (expert >= k_active) {
        return;
    }
    device const uchar* blob = blob0;
    switch (expert) {
    case 1: blob = blob1; break;
    case 2: blob = blob2; break;
    case 3: blob = blob3; break;
    case 4: blob = blob4; break;
    case 5: blob = blob5; break;
    case 6: blob = blob6; break;
    case 7: blob = blob7; break;
    }

    stage_input(staged, x + ulong(expert) * input_stride, in_dim, thread_id, threads);
    // Orders the writes of staged, spread over all threads, before the reads of
    // every simdgroup; the row is checked after it, so that all threads stage.
    threadgroup_barrier(mem_flags::mem_threadgroup);

    if (row >= out_dim) {
        return;
    }
    const float sum = dot_row_of<4>(
        (device const uint*)(blob + w_byte_off),
        (device const bfloat*)(blob + s_byte_off),
        (device const bfloat*)(blob + b_byte_off),
        staged, row, in_dim, group_size, lane);
    if (lane == 0) {
        out[ulong(expert) * out_dim + row] = sum;
    }
}

// 1 / (1 + exp(-x)), from the exponential of -|x|: that of -x may overflow, and fast math
// knows no infinity.
static inline float sigmoid(float x)
{
    const float e = exp(-abs(x));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

// The two products and the gate of a SwiGLU layer:
//
//     out[r] = silu(gate_r . x) * (up_r . x),   silu(y) = y / (1 + exp(-y))
//
// Grid: out_dim threadgroups of 64 threads (any multiple of 32 up to 1024); the
// threads stride over the groups of the row.
// Threadgroup memory: two partial sums for each simdgroup.
// Writes: thread 0 of threadgroup r writes out[r].
kernel void fused_gate_up_swiglu(
    device const uint*   gate_W      [[buffer(0)]],  // [out_dim, in_dim / 8]
    device const bfloat* gate_scales [[buffer(1)]],  // [out_dim, in_dim / group_size]
    device const bfloat* gate_biases [[buffer(2)]],  // [out_dim, in_dim / group_size]
    device const uint*   up_W        [[buffer(3)]],  // [out_dim, in_dim / 8]
    device const bfloat* up_scales   [[buffer(4)]],  // [out_dim, in_dim / group_size]
    device const bfloat* up_biases   [[buffer(5)]],  // [out_dim, in_dim / group_size]
    device const float*  x           [[buffer(6)]],  // [in_dim]
    device float*        out         [[buffer(7)]],  // [out_dim]
    constant uint&       out_dim     [[buffer(8)]],
    constant uint&       in_dim      [[buffer(9)]],
    constant uint&       group_size  [[buffer(10)]],
    uint row        [[threadgroup_position_in_grid]],
    uint thread_id  [[thread_index_in_threadgroup]],
    uint threads    [[threads_per_threadgroup]],
    uint lane       [[thread_index_in_simdgroup]],
    uint simdgroup  [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]])
{
    threadgroup float gate_partial[MAX_SIMDGROUPS];
    threadgroup float up_partial[MAX_SIMDGROUPS];

    // The row is the same for the whole threadgroup: all its threads leave here,
    // or none.
    if (row >= out_dim) {
        return;
    }
    const ulong words_at = ulong(row) * (in_dim / NIBBLES);
    const ulong groups_at = ulong(row) * (in_dim / group_size);
    const float gate_part = dot_groups_4bit(
        gate_W + words_at, gate_scales + groups_at, gate_biases + groups_at, x, in_dim, group_size, thread_id, threads);
    const float up_part = dot_groups_4bit(
        up_W + words_at, up_scales + groups_at, up_biases + groups_at, x, in_dim, group_size, thread_id, threads);
    // Two arrays of partial sums: in one, the second sum would overwrite what
    // slow simdgroups still read of the first.
    const float gate = threadgroup_sum(gate_part, gate_partial, lane, simdgroup, simdgroups);
    const float up = threadgroup_sum(up_part, up_partial, lane, simdgroup, simdgroups);
    if (thread_id == 0) {
        out[row] = gate * sigmoid(gate) * up;
    }
}

// Rows of a 4-bit embedding table:
//
//     out[t, d] = q[token_t, d] * s[token_t, d / group_size] + c[token_t, d / group_size]
//
// Grid: ceil(n_tokens * hidden_dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes element i of out; threads past the last write nothing.
kernel void embed_gather_4bit(
    device const uint*   W_packed   [[buffer(0)]],  // [vocab, hidden_dim / 8]
    device const bfloat* scales     [[buffer(1)]],  // [vocab, hidden_dim / group_size]
    device const bfloat* biases     [[buffer(2)]],  // [vocab, hidden_dim / group_size]
    device const int*    token_ids  [[buffer(3)]],  // [n_tokens]
    device float*        out        [[buffer(4)]],  // [n_tokens, hidden_dim]
    constant uint&       n_tokens   [[buffer(5)]],
    constant uint&       hidden_dim [[buffer(6)]],
    constant uint&       group_size [[buffer(7)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= n_tokens * hidden_dim) {
        return;
    }
    const uint d = i % hidden_dim;
    const ulong row = ulong(token_ids[i / hidden_dim]);
    const ulong group = row * (hidden_dim / group_size) + d / group_size;
    const uint packed = W_packed[row * (hidden_dim / NIBBLES) + d / NIBBLES];
    const float q = float((packed >> (4 * (d % NIBBLES))) & 15u);
    out[i] = q * float(scales[group]) + float(biases[group]);
}

// The product of one row of bf16 weights with an input, in thread 0 only. The
// threads stride over the row; a tree then halves the sums until one is left,
// which needs a power of two of threads. Every thread has to call it.
static inline float dot_row_bf16(
    device const bfloat* w,      // [in_dim]
    device const float*  x,      // [in_dim]
    threadgroup float*   sums,   // [threads]
    uint in_dim,
    uint thread_id,
    uint threads)
{
    float sum = 0.0f;
    for (uint i = thread_id; i < in_dim; i += threads) {
        sum = fma(float(w[i]), x[i], sum);
    }
    sums[thread_id] = sum;
    for (uint half_size = threads / 2; half_size > 0; half_size /= 2) {
        // Orders the sums of the level before, written by other threads, before
        // the reads of this one.
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (thread_id < half_size) {
            sums[thread_id] += sums[thread_id + half_size];
        }
    }
    return sums[thread_id];
}

// bf16 matrix-vector product:
//
//     output[r] = sum_i w[r, i] * input[i]
//
// Grid: out_dim threadgroups of 256 threads (any power of two up to 256).
// Threadgroup memory: one sum for each thread.
// Writes: thread 0 of threadgroup r writes output[r].
kernel void bf16_matvec(
    device const bfloat* w       [[buffer(0)]],  // [out_dim, in_dim]
    device const float*  input   [[buffer(1)]],  // [in_dim]
    device float*        output  [[buffer(2)]],  // [out_dim]
    constant uint&       in_dim  [[buffer(3)]],
    constant uint&       out_dim [[buffer(4)]],
    uint row       [[threadgroup_position_in_grid]],
    uint thread_id [[thread_index_in_threadgroup]],
    uint threads   [[threads_per_threadgroup]])
{
    threadgroup float sums[MAX_THREADS];

    // The row is the same for the whole threadgroup: all its threads leave here,
    // or none.
    if (row >= out_dim) {
        return;
    }
    const float sum = dot_row_bf16(w + ulong(row) * in_dim, input, sums, in_dim, thread_id, threads);
    if (thread_id == 0) {
        output[row] = sum;
    }
}

// bf16 product of several tokens with one matrix; each (row, token) sums as
// bf16_matvec does, to the same bits:
//
//     output[t, r] = sum_i w[r, i] * input[t, i]
//
// Grid: out_dim * n_tokens threadgroups of 256 threads (any power of two up to
// 256); threadgroup b computes row b % out_dim of token b / out_dim.
// Threadgroup memory: one sum for each thread.
// Writes: thread 0 of threadgroup b writes output[b / out_dim, b % out_dim].
kernel void bf16_matmul_n_tokens(
    device const bfloat* w        [[buffer(0)]],  // [out_dim, in_dim]
    device const float*  input    [[buffer(1)]],  // [n_tokens, in_dim]
    device float*        output   [[buffer(2)]],  // [n_tokens, out_dim]
    constant uint&       in_dim   [[buffer(3)]],
    constant uint&       out_dim  [[buffer(4)]],
    constant uint&       n_tokens [[buffer(5)]],
    uint flat      [[threadgroup_position_in_grid]],
    uint thread_id [[thread_index_in_threadgroup]],
    uint threads   [[threads_per_threadgroup]])
{
    threadgroup float sums[MAX_THREADS];

    const uint row = flat % out_dim;
    const uint token = flat / out_dim;
    // The token is the same for the whole threadgroup: all its threads leave
    // here, or none.
    if (token >= n_tokens) {
        return;
    }
    const float sum = dot_row_bf16(
        w + ulong(row) * in_dim, input + ulong(token) * in_dim, sums, in_dim, thread_id, threads);
    if (thread_id == 0) {
        output[flat] = sum;
    }
}

// The casts, element by element.
//
// Grid: ceil(n / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread i writes dst[i]; threads past the last write nothing.

// f32 to bf16, to nearest, ties to even. It works on the bits, where nothing can
// flush a subnormal: adding half of the last kept place, less one where the kept
// part is even, carries exactly when the number is to be rounded up, and out of
// the largest number into infinity. A NaN would carry into something else, so it
// is cut off and made quiet.
kernel void cast_f32_bf16_rne(
    device const float* src [[buffer(0)]],  // [n]
    device ushort*      dst [[buffer(1)]],  // [n], the bits of bf16
    constant uint&      n   [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i >= n) {
        return;
    }
    const uint bits = as_type<uint>(src[i]);
    const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    const uint rounded = nan ? bits | 0x00400000u : bits + 0x7fffu + ((bits >> 16) & 1u);
    dst[i] = ushort(rounded >> 16);
}

// f32 to bf16 by dropping the low 16 bits. A NaN whose payload lies only there
// becomes an infinity.
kernel void cast_f32_bf16_trunc(
    device const float* src [[buffer(0)]],  // [n]
    device ushort*      dst [[buffer(1)]],  // [n], the bits of bf16
    constant uint&      n   [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i < n) {
        dst[i] = ushort(as_type<uint>(src[i]) >> 16);
    }
}

// bf16 to f32, exact.
kernel void cast_bf16_f32(
    device const ushort* src [[buffer(0)]],  // [n], the bits of bf16
    device float*        dst [[buffer(1)]],  // [n]
    constant uint&       n   [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i < n) {
        dst[i] = as_type<float>(uint(src[i]) << 16);
    }
}

// f32 to f16, to nearest, ties to even, with gradual underflow: the conversion
// of the language is just that, in every math mode.
kernel void cast_f32_f16_rne(
    device const float* src [[buffer(0)]],  // [n]
    device half*        dst [[buffer(1)]],  // [n]
    constant uint&      n   [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i < n) {
        dst[i] = half(src[i]);
    }
}

// f16 to f32, exact.
kernel void cast_f16_f32(
    device const half* src [[buffer(0)]],  // [n]
    device float*      dst [[buffer(1)]],  // [n]
    constant uint&     n   [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i < n) {
        dst[i] = float(src[i]);
    }
}
