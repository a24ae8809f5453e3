// Gated delta-net.
//
// Each value head keeps a state S of Dv rows, one for each value channel, and
// Dk columns, one for each key channel. A token with decay alpha, gate beta, key
// k, value v and query q changes it and reads it:
//
//     S = alpha S             the decay comes before the read
//     u = v - S k
//     S = S + beta u k^T
//     o = S q
//
// No row of S meets another one: the rows are independent recurrences over the
// same keys and queries, and that is where the parallelism comes from.

#include <metal_stdlib>
using namespace metal;

// The widest key head of the kernel that keeps a row in one thread.
constant constexpr uint MAX_KEY_DIM = 128;

// Key and value head dimension of the kernels on token-major buffers.
constant constexpr uint HEAD_DIM = 128;

// Rows and columns of a simdgroup_matrix.
constant constexpr uint TILE = 8;

// Tokens that gated_delta_net_chunkwise takes at once: two tiles.
constant constexpr uint CHUNK = 16;

// Value rows of one simdgroup in gated_delta_net_chunkwise: 128 rows over four
// simdgroups, that is four tiles each.
constant constexpr uint SIMD_ROWS = 32;
constant constexpr uint SIMD_TILES = SIMD_ROWS / TILE;

// The decay that stands for 0 where its logarithm is taken.
constant constexpr float MIN_DECAY = 1e-30f;

// The recurrence token by token, tiled heads: value head h reads key head
// h % Hk. The decay is alpha = exp(-g), so that g >= 0 is a rate.
//
// Grid: (Hv, n_seqs) threadgroups of Dv threads; threadgroup (h, n) runs value
// head h of sequence n, and its thread i keeps row i of the state in private
// memory for all tokens. Dk <= 128, Dv <= 1024.
// Threadgroup memory 0: (2 Dk + 2 Dv) floats, of which the first 2 Dk hold the
// key and the query of the current token; the rest is not used.
// Writes: thread i writes output[n, t, h, i] of every token t and row i of
// state_out[n, h].
kernel void gated_delta_net_f32(
    device const float* q         [[buffer(0)]],  // [n_seqs, T, Hk, Dk]
    device const float* k         [[buffer(1)]],  // [n_seqs, T, Hk, Dk]
    device const float* v         [[buffer(2)]],  // [n_seqs, T, Hv, Dv]
    device const float* g         [[buffer(3)]],  // [n_seqs, T, Hv]
    device const float* beta      [[buffer(4)]],  // [n_seqs, T, Hv]
    device const float* state_in  [[buffer(5)]],  // [n_seqs, Hv, Dv, Dk]
    device float*       output    [[buffer(6)]],  // [n_seqs, T, Hv, Dv]
    device float*       state_out [[buffer(7)]],  // [n_seqs, Hv, Dv, Dk]
    constant uint*      params    [[buffer(8)]],  // Dk, Dv, Hk, Hv, T, n_seqs, 0, 0
    threadgroup float*  staged    [[threadgroup(0)]],
    uint2 group [[threadgroup_position_in_grid]],
    uint  row   [[thread_index_in_threadgroup]])
{
    const uint Dk = params[0];
    const uint Dv = params[1];
    const uint Hk = params[2];
    const uint Hv = params[3];
    const uint T = params[4];

    const uint head = group.x;
    const uint key_head = head % Hk;
    const ulong seq = group.y;

    threadgroup float* k_token = staged;
    threadgroup float* q_token = staged + Dk;

    float s[MAX_KEY_DIM];
    const ulong state_row = ((seq * Hv + head) * Dv + row) * Dk;
    for (uint j = 0; j < Dk; j++) {
        s[j] = state_in[state_row + j];
    }

    for (uint t = 0; t < T; t++) {
        const ulong key_at = ((seq * T + t) * Hk + key_head) * Dk;
        const ulong value_at = (seq * T + t) * Hv + head;

        for (uint j = row; j < Dk; j += Dv) {
            k_token[j] = k[key_at + j];
            q_token[j] = q[key_at + j];
        }
        // Orders the writes of k_token and q_token, spread over all threads,
        // before each thread reads the whole of them.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        const float alpha = exp(-g[value_at]);
        float sk = 0.0f;
        for (uint j = 0; j < Dk; j++) {
            s[j] *= alpha;
            sk += s[j] * k_token[j];
        }

        const float delta = beta[value_at] * (v[value_at * Dv + row] - sk);
        float o = 0.0f;
        for (uint j = 0; j < Dk; j++) {
            s[j] += k_token[j] * delta;
            o += s[j] * q_token[j];
        }
        output[value_at * Dv + row] = o;

        // Orders this token's reads of k_token and q_token before the writes
        // of the next token.
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }

    for (uint j = 0; j < Dk; j++) {
        state_out[state_row + j] = s[j];
    }
}

// The recurrence token by token on token-major buffers, block heads: value head h
// reads key head h / k_heads_per_v. Dk = Dv = 128, and g_decay is the decay alpha
// itself.
//
// Grid: num_v_heads threadgroups of 128 threads; thread i of threadgroup h keeps
// row i of state[h] in private memory for all tokens.
// Threadgroup memory: the key and the query of the current token.
// Writes: thread i writes output[t, h, i] of every token t and row i of state[h].
kernel void gated_delta_net_step(
    device float*       state         [[buffer(0)]],  // [num_v_heads, 128, 128]
    device const float* conv_out      [[buffer(1)]],  // [n_tokens, 2 key_total + 128 num_v_heads]
    device const float* g_decay       [[buffer(2)]],  // [n_tokens, num_v_heads]
    device const float* beta_gate     [[buffer(3)]],  // [n_tokens, num_v_heads]
    device float*       output        [[buffer(4)]],  // [n_tokens, 128 num_v_heads]
    constant uint&      k_heads_per_v [[buffer(5)]],
    constant uint&      n_tokens      [[buffer(6)]],
    constant uint&      key_total     [[buffer(7)]],
    constant uint&      num_v_heads   [[buffer(8)]],
    uint head [[threadgroup_position_in_grid]],
    uint row  [[thread_index_in_threadgroup]])
{
    threadgroup float k_token[HEAD_DIM];
    threadgroup float q_token[HEAD_DIM];

    // One token's channels fit 32 bits wherever the state fits memory; those of all
    // tokens may not.
    const ulong token_size = 2 * key_total + num_v_heads * HEAD_DIM;
    const uint query_at = head / k_heads_per_v * HEAD_DIM;
    const uint value_at = 2 * key_total + head * HEAD_DIM;

    float s[HEAD_DIM];
    device float* state_row = state + (ulong(head) * HEAD_DIM + row) * HEAD_DIM;
    for (uint j = 0; j < HEAD_DIM; j++) {
        s[j] = state_row[j];
    }

    for (uint t = 0; t < n_tokens; t++) {
        device const float* token = conv_out + t * token_size;
        const ulong gate_at = ulong(t) * num_v_heads + head;

        q_token[row] = token[query_at + row];
        k_token[row] = token[key_total + query_at + row];
        // Orders the writes of k_token and q_token, one element from each thread,
        // before each thread reads the whole of them.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        const float alpha = g_decay[gate_at];
        float sk = 0.0f;
        for (uint j = 0; j < HEAD_DIM; j++) {
            s[j] *= alpha;
            sk += s[j] * k_token[j];
        }
        const float delta = beta_gate[gate_at] * (token[value_at + row] - sk);
        float o = 0.0f;
        for (uint j = 0; j < HEAD_DIM; j++) {
            s[j] += k_token[j] * delta;
            o += s[j] * q_token[j];
        }
        output[gate_at * HEAD_DIM + row] = o;

        // Orders this token's reads of k_token and q_token before the writes of
        // the next token.
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }

    for (uint j = 0; j < HEAD_DIM; j++) {
        state_row[j] = s[j];
    }
}

// Key channels that each lane of gated_delta_net_sequential owns.
constant constexpr uint LANE_CHANNELS = 4;

// Value rows of one threadgroup of gated_delta_net_sequential.
constant constexpr uint ROWS_PER_THREADGROUP = 4;

// gated_delta_net_step with one simdgroup a row: a lane keeps four channels of
// the row in registers, and simd_sum makes both products. No threadgroup memory
// and no barrier; the rows of a head spread over 32 threadgroups.
//
// Grid: (128 / 4, num_v_heads) threadgroups of (32, 4) threads; simdgroup s of
// threadgroup (b, h) owns row 4 b + s of state[h].
// Threadgroup memory: none.
// Writes: the simdgroup writes its row of state[h], its lane 0 output[t, h, row]
// of every token t.
kernel void gated_delta_net_sequential(
    device float*       state         [[buffer(0)]],  // [num_v_heads, 128, 128]
    device const float* conv_out      [[buffer(1)]],  // [n_tokens, 2 key_total + 128 num_v_heads]
    device const float* g_decay       [[buffer(2)]],  // [n_tokens, num_v_heads]
    device const float* beta_gate     [[buffer(3)]],  // [n_tokens, num_v_heads]
    device float*       output        [[buffer(4)]],  // [n_tokens, 128 num_v_heads]
    constant uint&      k_heads_per_v [[buffer(5)]],
    constant uint&      n_tokens      [[buffer(6)]],
    constant uint&      key_total     [[buffer(7)]],
    constant uint&      num_v_heads   [[buffer(8)]],
    uint2 group     [[threadgroup_position_in_grid]],
    uint  lane      [[thread_index_in_simdgroup]],
    uint  simdgroup [[simdgroup_index_in_threadgroup]])
{
    const uint head = group.y;
    const uint row = group.x * ROWS_PER_THREADGROUP + simdgroup;
    const uint first = lane * LANE_CHANNELS;
    // One token's channels fit 32 bits wherever the state fits memory; those of all
    // tokens may not.
    const ulong token_size = 2 * key_total + num_v_heads * HEAD_DIM;
    const uint query_at = head / k_heads_per_v * HEAD_DIM + first;
    const uint value_at = 2 * key_total + head * HEAD_DIM + row;

    float s[LANE_CHANNELS];
    device float* own_state = state + (ulong(head) * HEAD_DIM + row) * HEAD_DIM + first;
    for (uint j = 0; j < LANE_CHANNELS; j++) {
        s[j] = own_state[j];
    }

    for (uint t = 0; t < n_tokens; t++) {
        device const float* token = conv_out + t * token_size;
        device const float* q = token + query_at;
        device const float* k = token + key_total + query_at;
        const ulong gate_at = ulong(t) * num_v_heads + head;

        const float alpha = g_decay[gate_at];
        float sk = 0.0f;
        for (uint j = 0; j < LANE_CHANNELS; j++) {
            s[j] *= alpha;
            sk += s[j] * k[j];
        }
        sk = simd_sum(sk);

        const float delta = beta_gate[gate_at] * (token[value_at] - sk);
        float o = 0.0f;
        for (uint j = 0; j < LANE_CHANNELS; j++) {
            s[j] += k[j] * delta;
            o += s[j] * q[j];
        }
        o = simd_sum(o);
        if (lane == 0) {
            output[gate_at * HEAD_DIM + row] = o;
        }
    }

    for (uint j = 0; j < LANE_CHANNELS; j++) {
        own_state[j] = s[j];
    }
}

// The decay that tokens first ... last - 1 of a chunk apply together; 1 when
// there are none. Never above 1, as no logarithm is above 0.
static inline float decay_over(threadgroup const float* log_decay, uint first, uint last)
{
    float sum = 0.0f;
    for (uint t = first; t < last; t++) {
        sum += log_decay[t];
    }
    return exp(sum);
}

// The recurrence in chunks of 16 tokens, block heads: value head h reads key
// head h / k_heads_per_v. Dk = Dv = 128, and g_decay is the decay alpha itself.
//
// Inside a chunk with start state S_0, let decay(i, l) be the product of
// alpha_{i+1} ... alpha_l and decay(l) that of alpha_0 ... alpha_l. Unrolling
// the recurrence gives the updates u_l as a triangular system and everything
// else as sums over them:
//
//     u_l = beta_l (v_l - decay(l) S_0 k_l - sum_{i<l} decay(i, l) (k_i . k_l) u_i)
//     o_l = decay(l) S_0 q_l + sum_{i<=l} decay(i, l) (k_i . q_l) u_i
//     S   = decay(n-1) S_0 + sum_i decay(i, n-1) u_i k_i^T
//
// What is large, S_0 K^T, S_0 Q^T, K K^T, Q K^T and U^T K, is products of 8x8
// simdgroup matrices. What is triangular is plain loops up to the diagonal: a
// product with a zero-filled triangle would be as quick, but 0 * NaN is NaN, and
// a token would then spoil the ones before it.
//
// decay(i, l) is the exponential of a sum of logarithms over just the tokens
// between. A decay of 0 counts as 1e-30, and from then on S_0 no longer shows.
//
// The parameters carry no [[buffer(n)]]: their indices are 0 ... 8, in order of
// declaration.
//
// Grid: num_v_heads threadgroups of 128 threads. Thread i owns value channel i
// where work is by channel; simdgroup s owns channels 32 s ... 32 s + 31 where
// work is by tile, which are the channels of its own threads. Any n_tokens: a
// last chunk of fewer than 16 is filled up with zero keys and queries.
// Threadgroup memory: 26 KB, see the declarations.
// Writes: simdgroup s of threadgroup h writes rows 32 s ... 32 s + 31 of
// state[h]; its thread i writes output[t, h, i] of every token t.
kernel void gated_delta_net_chunkwise(
    device float*       state,          // [num_v_heads, 128, 128]
    device const float* conv_out,       // [n_tokens, 2 key_total + 128 num_v_heads]
    device const float* g_decay,        // [n_tokens, num_v_heads]
    device const float* beta_gate,      // [n_tokens, num_v_heads]
    device float*       output,         // [n_tokens, 128 num_v_heads]
    constant uint&      k_heads_per_v,  // value heads that share one key head
    constant uint&      n_tokens,
    constant uint&      key_total,      // 128 times the number of key heads
    constant uint&      num_v_heads,
    uint head      [[threadgroup_position_in_grid]],
    uint channel   [[thread_index_in_threadgroup]],
    uint simdgroup [[simdgroup_index_in_threadgroup]])
{
    threadgroup float keys[CHUNK * HEAD_DIM];
    threadgroup float queries[CHUNK * HEAD_DIM];  // later S_0 q_l
    threadgroup float updates[CHUNK * HEAD_DIM];  // S_0 k_l, later decay(i, n-1) u_i
    threadgroup float k_dot_k[CHUNK * CHUNK];     // later with decay and gate
    threadgroup float q_dot_k[CHUNK * CHUNK];     // later with decay
    threadgroup float log_decay[CHUNK];
    threadgroup float gate[CHUNK];
    threadgroup float from_start[CHUNK];          // decay(l)
    threadgroup float to_end[CHUNK];              // decay(l, n-1)

    // One token's channels fit 32 bits wherever the state fits memory; those of all
    // tokens may not.
    const ulong token_size = 2 * key_total + num_v_heads * HEAD_DIM;
    const uint query_at = head / k_heads_per_v * HEAD_DIM;
    const uint key_at = key_total + query_at;
    const uint value_at = 2 * key_total + head * HEAD_DIM;
    const uint row_tile = simdgroup / 2 * TILE;  // this simdgroup's tile of
    const uint col_tile = simdgroup % 2 * TILE;  // K K^T and Q K^T

    // The rows of the state that this simdgroup owns.
    device float* own_state = state + (ulong(head) * HEAD_DIM + simdgroup * SIMD_ROWS) * HEAD_DIM;

    for (uint first = 0; first < n_tokens; first += CHUNK) {
        const uint n = min(CHUNK, n_tokens - first);

        // 1. Stage keys and queries; rows past the last token are zeros and not
        // whatever the buffers hold there.
        for (uint l = 0; l < CHUNK; l++) {
            float key = 0.0f;
            float query = 0.0f;
            if (l < n) {
                device const float* token = conv_out + (first + l) * token_size;
                key = token[key_at + channel];
                query = token[query_at + channel];
            }
            keys[l * HEAD_DIM + channel] = key;
            queries[l * HEAD_DIM + channel] = query;
        }
        if (channel < n) {
            const ulong gate_at = (ulong(first) + channel) * num_v_heads + head;
            const float alpha = g_decay[gate_at];
            // A comparison, where max would drop a NaN.
            log_decay[channel] = log(alpha < MIN_DECAY ? float(MIN_DECAY) : alpha);
            gate[channel] = beta_gate[gate_at];
        }
        // Orders the staging, spread over all threads, before the matrix loads
        // and the sums of logarithms below.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        // 2. One 8x8 tile of K K^T and of Q K^T; the four simdgroups make the
        // four tiles. Loading rows of K transposed gives columns of K^T.
        simdgroup_float8x8 kk = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
        simdgroup_float8x8 qk = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
        for (uint j = 0; j < HEAD_DIM; j += TILE) {
            simdgroup_float8x8 key_rows, query_rows, key_columns;
            simdgroup_load(key_rows, keys + row_tile * HEAD_DIM + j, HEAD_DIM);
            simdgroup_load(query_rows, queries + row_tile * HEAD_DIM + j, HEAD_DIM);
            simdgroup_load(key_columns, keys + col_tile * HEAD_DIM + j, HEAD_DIM, ulong2(0, 0), true);
            simdgroup_multiply_accumulate(kk, key_rows, key_columns, kk);
            simdgroup_multiply_accumulate(qk, query_rows, key_columns, qk);
        }

        // 3. K S_0^T and Q S_0^T for this simdgroup's value channels. The state
        // is read once for both, transposed straight from device memory.
        // Tile 2 r + b is tokens 8 b ... 8 b + 7 by value channels 8 r ... 8 r + 7.
        simdgroup_float8x8 ks[2 * SIMD_TILES];
        simdgroup_float8x8 qs[2 * SIMD_TILES];
        for (uint i = 0; i < 2 * SIMD_TILES; i++) {
            ks[i] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
            qs[i] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
        }
        for (uint j = 0; j < HEAD_DIM; j += TILE) {
            simdgroup_float8x8 k0, k1, q0, q1;
            simdgroup_load(k0, keys + j, HEAD_DIM);
            simdgroup_load(k1, keys + TILE * HEAD_DIM + j, HEAD_DIM);
            simdgroup_load(q0, queries + j, HEAD_DIM);
            simdgroup_load(q1, queries + TILE * HEAD_DIM + j, HEAD_DIM);
            for (uint r = 0; r < SIMD_TILES; r++) {
                simdgroup_float8x8 s_columns;
                simdgroup_load(s_columns, own_state + r * TILE * HEAD_DIM + j, HEAD_DIM, ulong2(0, 0), true);
                simdgroup_multiply_accumulate(ks[2 * r], k0, s_columns, ks[2 * r]);
                simdgroup_multiply_accumulate(ks[2 * r + 1], k1, s_columns, ks[2 * r + 1]);
                simdgroup_multiply_accumulate(qs[2 * r], q0, s_columns, qs[2 * r]);
                simdgroup_multiply_accumulate(qs[2 * r + 1], q1, s_columns, qs[2 * r + 1]);
            }
        }
        // Orders all simdgroups' reads of queries before S_0 q_l takes its
        // place, and those of the state, element by element of a tile, before its
        // stores: the same simdgroup makes both, but not the same thread.
        threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);

        simdgroup_store(kk, k_dot_k + row_tile * CHUNK + col_tile, CHUNK);
        simdgroup_store(qk, q_dot_k + row_tile * CHUNK + col_tile, CHUNK);
        for (uint r = 0; r < SIMD_TILES; r++) {
            const uint column = simdgroup * SIMD_ROWS + r * TILE;
            simdgroup_store(ks[2 * r], updates + column, HEAD_DIM);
            simdgroup_store(ks[2 * r + 1], updates + TILE * HEAD_DIM + column, HEAD_DIM);
            simdgroup_store(qs[2 * r], queries + column, HEAD_DIM);
            simdgroup_store(qs[2 * r + 1], queries + TILE * HEAD_DIM + column, HEAD_DIM);
        }
        if (channel < n) {
            from_start[channel] = decay_over(log_decay, 0, channel + 1);
            to_end[channel] = decay_over(log_decay, channel + 1, n);
        }
        // Orders the stored products and the decays before other threads read
        // them.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        // 4. Put decay and gate to the dot products, on the triangle that is
        // read: i < l for keys, i <= l for queries.
        for (uint e = channel; e < CHUNK * CHUNK; e += HEAD_DIM) {
            const uint l = e / CHUNK;
            const uint i = e % CHUNK;
            if (l < n && i <= l) {
                const float decay = decay_over(log_decay, i + 1, l + 1);
                k_dot_k[e] *= gate[l] * decay;
                q_dot_k[e] *= decay;
            }
        }
        // Orders the finished coefficients before every thread reads them all.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        // 5. Forward substitution for this thread's channel, and its outputs.
        // Columns of updates and queries are read and written by the thread of
        // their channel alone.
        float u[CHUNK];
        for (uint l = 0; l < n; l++) {
            const ulong token = first + l;
            const float value = conv_out[token * token_size + value_at + channel];
            float update = gate[l] * (value - from_start[l] * updates[l * HEAD_DIM + channel]);
            for (uint i = 0; i < l; i++) {
                update -= k_dot_k[l * CHUNK + i] * u[i];
            }
            u[l] = update;

            float o = from_start[l] * queries[l * HEAD_DIM + channel];
            for (uint i = 0; i <= l; i++) {
                o += q_dot_k[l * CHUNK + i] * u[i];
            }
            output[(token * num_v_heads + head) * HEAD_DIM + channel] = o;
        }
        for (uint l = 0; l < CHUNK; l++) {
            updates[l * HEAD_DIM + channel] = l < n ? to_end[l] * u[l] : 0.0f;
        }
        // Orders the columns of updates, one from each thread, before the matrix
        // loads of the simdgroup.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        // 6. The new state, tile by tile: S diag(decay) + U^T K. With the
        // diagonal on the right a non-finite element stays in its own row.
        simdgroup_float8x8 keep(from_start[n - 1]);
        for (uint r = 0; r < SIMD_TILES; r++) {
            const uint column = simdgroup * SIMD_ROWS + r * TILE;
            simdgroup_float8x8 u0, u1;
            simdgroup_load(u0, updates + column, HEAD_DIM, ulong2(0, 0), true);
            simdgroup_load(u1, updates + TILE * HEAD_DIM + column, HEAD_DIM, ulong2(0, 0), true);
            for (uint j = 0; j < HEAD_DIM; j += TILE) {
                device float* tile = own_state + r * TILE * HEAD_DIM + j;
                simdgroup_float8x8 s, k0, k1;
                simdgroup_load(s, tile, HEAD_DIM);
                simdgroup_load(k0, keys + j, HEAD_DIM);
                simdgroup_load(k1, keys + TILE * HEAD_DIM + j, HEAD_DIM);
                simdgroup_multiply(s, s, keep);
                simdgroup_multiply_accumulate(s, u0, k0, s);
                simdgroup_multiply_accumulate(s, u1, k1, s);
                simdgroup_store(s, tile, HEAD_DIM);
            }
        }
        // Orders the reads of keys, updates and the decays before the staging of
        // the next chunk, and the stores of the state before its next loads, which
        // other lanes of the simdgroup do.
        threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
    }
}

// The chunk pipeline: six kernels for chunks of 64 tokens, block heads. B
// batches, T tokens in NT = T / 64 chunks, Hg key heads, H value heads, key heads
// of K and value heads of V channels. g is the logarithm of the decay, G its
// running sum inside a chunk.
//
//     1  G_t     = sum_{s <= t} g_s
//     2  A_ij    = e^{G_i - G_j} sum_c r(k_ic beta_i) k_jc           for i > j
//     3  X       = (I + A)^-1
//     4  w       = r(X r(k beta e^G)),   u = r(X r(v beta))
//     5  h_out   = r(h);  v' = u - w h^T;  v_new = r(v')
//        h       = h e^{G_last} + r(v' e^{G_last - G_t})^T k
//     6  o       = r(scale (e^{G_i} q_i h^T + sum_{j <= i} r(e^{G_i - G_j} q_i . k_j) v_new_j))
//
// r is the rounding to bf16, to nearest even, and stands wherever a value is
// stored as bf16, and nowhere else; sums are f32.

// Tokens of one chunk of the pipeline.
constant constexpr uint BT = 64;

// Key channels that a stage takes at once.
constant constexpr uint BK = 64;

// Value channels of one threadgroup of the state and output stages.
constant constexpr uint BV = 32;

// Key channels of the state and output stages.
constant constexpr uint STATE_K = 128;

// Threads of the stages that use 256 of them.
constant constexpr uint STAGE_THREADS = 256;

// A number that bf16 holds, nearest to x.
static inline float rounded(float x)
{
    return float(bfloat(x));
}

// Stage 1: the running sum of the log-decays inside each chunk.
//
// Grid: (1, H, B * NT) threadgroups of 64 threads; threadgroup (0, h, c) serves
// chunk c % NT of batch c / NT.
// Threadgroup memory: the sums, twice.
// Writes: thread t writes g_cumsum of token t of the chunk.
kernel void chunk_local_cumsum_g_f32(
    device const float* g        [[buffer(0)]],  // [B, T, H]
    device float*       g_cumsum [[buffer(1)]],  // [B, T, H]
    constant uint*      params   [[buffer(2)]],  // B, T, H, BT, NT
    uint3 group [[threadgroup_position_in_grid]],
    uint  t     [[thread_index_in_threadgroup]])
{
    threadgroup float sums[2][BT];

    const uint T = params[1];
    const uint H = params[2];
    const uint NT = params[4];
    const ulong token = ulong(group.z / NT) * T + group.z % NT * BT + t;
    const ulong at = token * H + group.y;

    // Each round adds the sum that ends `distance` tokens earlier, and doubles
    // the distance. A round reads one half of sums and writes the other, so that
    // one barrier a round is enough.
    uint from = 0;
    sums[from][t] = g[at];
    for (uint distance = 1; distance < BT; distance *= 2) {
        // Orders the writes of the round before ahead of this round's reads, and
        // its reads ahead of this round's writes.
        threadgroup_barrier(mem_flags::mem_threadgroup);
        const float own = sums[from][t];
        sums[1 - from][t] = t >= distance ? own + sums[from][t - distance] : own;
        from = 1 - from;
    }
    g_cumsum[at] = sums[from][t];
}

// Stage 2: the strictly lower triangle of each chunk's key products,
//
//     A_ij = e^{G_i - G_j} sum_c r(k_ic beta_i) k_jc   for i > j, else 0
//
// as products of 8x8 bf16 matrices with f32 sums. Above the diagonal the
// exponential may be infinite: the mask selects.
//
// Grid: (NT, H, B) threadgroups of 256 threads. Simdgroup s computes rows
// 8 s ... 8 s + 7. K is a multiple of 64, at most 192.
// Threadgroup memory 0: r(k beta), 64 x 64 bf16. 1: the products, 64 x 64 f32.
// Writes: thread i writes elements i, i + 256, ... of the chunk's A.
kernel void gated_delta_net_kkt_bf16(
    device const bfloat* k        [[buffer(0)]],  // [B, T, Hg, K]
    device const float*  beta     [[buffer(1)]],  // [B, T, H]
    device const float*  g        [[buffer(2)]],  // [B, T, H], G
    device float*        A        [[buffer(3)]],  // [B, T, H, BT]
    constant uint*       params   [[buffer(4)]],  // B, T, Hg, H, K, BT, NT, BK
    threadgroup bfloat*  k_beta   [[threadgroup(0)]],
    threadgroup float*   products [[threadgroup(1)]],
    uint3 group     [[threadgroup_position_in_grid]],
    uint  thread_id [[thread_index_in_threadgroup]],
    uint  simdgroup [[simdgroup_index_in_threadgroup]])
{
    const uint T = params[1];
    const uint Hg = params[2];
    const uint H = params[3];
    const uint K = params[4];
    const uint head = group.y;
    const uint key_head = head / (H / Hg);
    const ulong first = ulong(group.z) * T + group.x * BT;  // token of the chunk
    const ulong k_stride = ulong(Hg) * K;
    device const bfloat* k_chunk = k + first * k_stride + ulong(key_head) * K;

    simdgroup_float8x8 sums[BT / TILE];
    for (uint j = 0; j < BT / TILE; j++) {
        sums[j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    }
    for (uint c = 0; c < K; c += BK) {
        for (uint e = thread_id; e < BT * BK; e += STAGE_THREADS) {
            const uint i = e / BK;
            const float beta_i = beta[(first + i) * H + head];
            k_beta[e] = bfloat(float(k_chunk[i * k_stride + c + e % BK]) * beta_i);
        }
        // Orders the writes of k_beta before the matrix loads of all simdgroups.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        for (uint d = 0; d < BK; d += TILE) {
            simdgroup_bfloat8x8 rows;
            simdgroup_load(rows, k_beta + simdgroup * TILE * BK + d, BK);
            for (uint j = 0; j < BT / TILE; j++) {
                simdgroup_bfloat8x8 columns;
                simdgroup_load(columns, k_chunk + j * TILE * k_stride + c + d, k_stride, ulong2(0, 0), true);
                simdgroup_multiply_accumulate(sums[j], rows, columns, sums[j]);
            }
        }
        // Orders the loads of k_beta before the next channels overwrite it.
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    for (uint j = 0; j < BT / TILE; j++) {
        simdgroup_store(sums[j], products + simdgroup * TILE * BT + j * TILE, BT);
    }
    // Orders the stored products before the threads that mask them read them.
    threadgroup_barrier(mem_flags::mem_threadgroup);

    for (uint e = thread_id; e < BT * BT; e += STAGE_THREADS) {
        const uint i = e / BT;
        const uint j = e % BT;
        const float decay = exp(g[(first + i) * H + head] - g[(first + j) * H + head]);
        A[((first + i) * H + head) * BT + j] = i > j ? decay * products[e] : 0.0f;
    }
}

// Stage 3: the inverse of each chunk's unit lower triangular matrix,
//
//     X = (I + A)^-1
//
// column by column by forward substitution: X_ij = [i = j] - sum_{m < i} A_im X_mj.
//
// Grid: (NT, H, B) threadgroups of 64 threads.
// Threadgroup memory: A, row by row as it is used.
// Writes: thread j writes column j of the chunk's X.
kernel void chunk_tri_solve_invert_f32(
    device const float* A      [[buffer(0)]],  // [B, T, H, BT]
    device float*       X      [[buffer(1)]],  // [B, T, H, BT]
    constant uint*      params [[buffer(2)]],  // B, T, H, BT, NT
    uint3 group [[threadgroup_position_in_grid]],
    uint  j     [[thread_index_in_threadgroup]])
{
    threadgroup float a_row[BT];

    const uint T = params[1];
    const uint H = params[2];
    const ulong first = ulong(group.z) * T + group.x * BT;

    float x[BT];  // this thread's column
    for (uint i = 0; i < BT; i++) {
        const ulong row = ((first + i) * H + group.y) * BT;
        a_row[j] = A[row + j];
        // Orders the writes of a_row, one from each thread, before each thread
        // reads the whole of it.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        float sum = i == j ? 1.0f : 0.0f;
        for (uint m = j; m < i; m++) {
            sum -= a_row[m] * x[m];
        }
        x[i] = sum;
        X[row + j] = sum;

        // Orders the reads of a_row before the next row overwrites it.
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
}

// Stage 4: the triangular system solved for keys and for values,
//
//     w = r(X r(k beta e^G)),   u = r(X r(v beta))
//
// 64 channels at a time. Row i of X ends at the diagonal, and so does the sum.
//
// Grid: (NT, H, B) threadgroups of 256 threads. K and V are multiples of 64,
// K <= 192, V <= 256.
// Threadgroup memory 0: X, 64 x 64 f32. 1: the rounded operand, 64 x 64 bf16.
// Writes: thread i writes elements i, i + 256, ... of each 64 channels of the
// chunk's w and u.
kernel void gated_delta_net_recompute_wu_bf16(
    device const bfloat* k       [[buffer(0)]],  // [B, T, Hg, K]
    device const bfloat* v       [[buffer(1)]],  // [B, T, H, V]
    device const float*  beta    [[buffer(2)]],  // [B, T, H]
    device const float*  g       [[buffer(3)]],  // [B, T, H], G
    device const float*  A       [[buffer(4)]],  // [B, T, H, BT], X
    device bfloat*       w       [[buffer(5)]],  // [B, T, H, K]
    device bfloat*       u       [[buffer(6)]],  // [B, T, H, V]
    constant uint*       params  [[buffer(7)]],  // B, T, Hg, H, K, V, BT, NT
    threadgroup float*   inverse [[threadgroup(0)]],
    threadgroup bfloat*  operand [[threadgroup(1)]],
    uint3 group     [[threadgroup_position_in_grid]],
    uint  thread_id [[thread_index_in_threadgroup]])
{
    const uint T = params[1];
    const uint Hg = params[2];
    const uint H = params[3];
    const uint K = params[4];
    const uint V = params[5];
    const uint head = group.y;
    const uint key_head = head / (H / Hg);
    const ulong first = ulong(group.z) * T + group.x * BT;

    for (uint e = thread_id; e < BT * BT; e += STAGE_THREADS) {
        inverse[e] = A[((first + e / BT) * H + head) * BT + e % BT];
    }

    for (uint c = 0; c < K + V; c += BK) {
        const bool is_key = c < K;
        for (uint e = thread_id; e < BT * BK; e += STAGE_THREADS) {
            const ulong token = first + e / BK;
            const ulong gate_at = token * H + head;
            const uint d = e % BK;
            if (is_key) {
                const float key = float(k[(token * Hg + key_head) * K + c + d]);
                operand[e] = bfloat(key * beta[gate_at] * exp(g[gate_at]));
            } else {
                const float value = float(v[gate_at * V + (c - K) + d]);
                operand[e] = bfloat(value * beta[gate_at]);
            }
        }
        // Orders the writes of operand, and on the first round those of inverse,
        // before the reads of all threads.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        for (uint e = thread_id; e < BT * BK; e += STAGE_THREADS) {
            const uint i = e / BK;
            const uint d = e % BK;
            float sum = 0.0f;
            for (uint j = 0; j <= i; j++) {
                sum += inverse[i * BT + j] * float(operand[j * BK + d]);
            }
            const ulong row = (first + i) * H + head;
            if (is_key) {
                w[row * K + c + d] = bfloat(sum);
            } else {
                u[row * V + (c - K) + d] = bfloat(sum);
            }
        }
        // Orders the reads of operand before the next channels overwrite it.
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
}

// Stage 5: the state from chunk to chunk, and the values that each chunk adds,
//
//     h_out = r(h);   v' = u - w h^T;   v_new = r(v')
//     h     = h e^{G_last} + r(v' e^{G_last - G_t})^T k
//
// Rows of h, one for each value channel, are independent: a threadgroup keeps 32
// of them in threadgroup memory through all chunks.
//
// Grid: (V / 32, H, B) threadgroups of 128 threads. K = 128.
// Threadgroup memory: 32 rows of h; a chunk's decayed v'.
// Writes: the threadgroup writes its 32 value channels of v_new, of h_out of each
// chunk and of final_state; elements i, i + 128, ... are thread i's.
kernel void gated_delta_net_chunk_inter_state_bf16(
    device const bfloat* k           [[buffer(0)]],  // [B, T, Hg, K]
    device const bfloat* w           [[buffer(1)]],  // [B, T, H, K]
    device const bfloat* u           [[buffer(2)]],  // [B, T, H, V]
    device const float*  g           [[buffer(3)]],  // [B, T, H], G
    device const float*  h0          [[buffer(4)]],  // [B, H, V, K]
    device bfloat*       h_out       [[buffer(5)]],  // [B, NT, H, V, K]
    device bfloat*       v_new       [[buffer(6)]],  // [B, T, H, V]
    device float*        final_state [[buffer(7)]],  // [B, H, V, K]
    constant uint*       params      [[buffer(8)]],  // B, T, Hg, H, K, V, BT, NT
    uint3 group     [[threadgroup_position_in_grid]],
    uint  c         [[thread_index_in_threadgroup]])
{
    threadgroup float h[BV * STATE_K];
    threadgroup float added[BT * BV];  // r(v' e^{G_last - G_t})

    const uint T = params[1];
    const uint Hg = params[2];
    const uint H = params[3];
    const uint V = params[5];
    const uint NT = params[7];
    const uint head = group.y;
    const uint key_head = head / (H / Hg);
    const uint first_v = group.x * BV;
    const ulong state_at = ((ulong(group.z) * H + head) * V + first_v) * STATE_K;

    // Thread c owns column c of the 32 rows: no other thread writes it.
    for (uint r = 0; r < BV; r++) {
        h[r * STATE_K + c] = h0[state_at + r * STATE_K + c];
    }

    for (uint chunk = 0; chunk < NT; chunk++) {
        const ulong first = ulong(group.z) * T + chunk * BT;
        const float g_last = g[(first + BT - 1) * H + head];
        const ulong out_at = (((ulong(group.z) * NT + chunk) * H + head) * V + first_v) * STATE_K;
        for (uint r = 0; r < BV; r++) {
            h_out[out_at + r * STATE_K + c] = bfloat(h[r * STATE_K + c]);
        }
        // Orders the columns of h, written by their threads, before the row
        // products below, which read all columns.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        for (uint e = c; e < BT * BV; e += STATE_K) {
            const uint t = e / BV;
            const uint r = e % BV;
            const ulong row = (first + t) * H + head;
            float wh = 0.0f;
            for (uint j = 0; j < STATE_K; j++) {
                wh += float(w[row * STATE_K + j]) * h[r * STATE_K + j];
            }
            const float v = float(u[row * V + first_v + r]) - wh;
            v_new[row * V + first_v + r] = bfloat(v);
            added[e] = rounded(v * exp(g_last - g[row]));
        }
        // Orders the writes of added before all threads read it, and the reads of
        // h before its columns change.
        threadgroup_barrier(mem_flags::mem_threadgroup);

        const float decay = exp(g_last);
        for (uint r = 0; r < BV; r++) {
            float sum = 0.0f;
            for (uint t = 0; t < BT; t++) {
                sum += added[t * BV + r] * float(k[((first + t) * Hg + key_head) * STATE_K + c]);
            }
            h[r * STATE_K + c] = h[r * STATE_K + c] * decay + sum;
        }
        // The barrier behind h_out orders these reads of added before the next
        // chunk overwrites it.
    }

    for (uint r = 0; r < BV; r++) {
        final_state[state_at + r * STATE_K + c] = h[r * STATE_K + c];
    }
}

// Stage 6: the outputs,
//
//     P_ij = r(e^{G_i - G_j} q_i . k_j)   for j <= i, else 0
//     o_i  = r(scale (e^{G_i} q_i h^T + sum_j P_ij v_new_j))
//
// as products of 8x8 bf16 matrices with f32 sums. Above the diagonal the
// exponential may be infinite: the mask selects.
//
// Grid: (V / 32, NT, B * H) threadgroups of 256 threads; threadgroup (b, c, n)
// computes value channels 32 b ... 32 b + 31 of chunk c of head n % H in batch
// n / H. Simdgroup s computes tokens 8 s ... 8 s + 7. K = 128.
// Threadgroup memory: the products q . k, then P; the products q h^T.
// Writes: thread i writes elements i, i + 256, ... of the 64 x 32 outputs.
kernel void gated_delta_net_chunk_o_bf16(
    device const bfloat* q      [[buffer(0)]],  // [B, T, Hg, K]
    device const bfloat* k      [[buffer(1)]],  // [B, T, Hg, K]
    device const bfloat* v_new  [[buffer(2)]],  // [B, T, H, V]
    device const bfloat* h      [[buffer(3)]],  // [B, NT, H, V, K]
    device const float*  g      [[buffer(4)]],  // [B, T, H], G
    device bfloat*       o      [[buffer(5)]],  // [B, T, H, V]
    constant uint*       params [[buffer(6)]],  // B, T, Hg, H, K, V, BT, NT, BK, BV, bits of scale
    uint3 group     [[threadgroup_position_in_grid]],
    uint  thread_id [[thread_index_in_threadgroup]],
    uint  simdgroup [[simdgroup_index_in_threadgroup]])
{
    threadgroup float  sums[BT * BV];     // q h^T, later P v_new
    threadgroup float  scores[BT * TILE]; // q . k for eight columns at a time
    threadgroup bfloat P[BT * BT];

    const uint T = params[1];
    const uint Hg = params[2];
    const uint H = params[3];
    const uint V = params[5];
    const uint NT = params[7];
    const float scale = as_type<float>(params[10]);
    const uint batch = group.z / H;
    const uint head = group.z % H;
    const uint key_head = head / (H / Hg);
    const uint first_v = group.x * BV;
    const ulong first = ulong(batch) * T + group.y * BT;
    const ulong k_stride = ulong(Hg) * STATE_K;
    const ulong v_stride = ulong(H) * V;
    const uint own = simdgroup * TILE;  // this simdgroup's first token

    device const bfloat* q_rows = q + first * k_stride + own * k_stride + ulong(key_head) * STATE_K;
    device const bfloat* k_chunk = k + first * k_stride + ulong(key_head) * STATE_K;
    device const bfloat* h_rows = h + (((ulong(batch) * NT + group.y) * H + head) * V + first_v) * STATE_K;
    device const bfloat* v_chunk = v_new + (first * H + head) * V + first_v;

    // 1. q . k, eight key tokens at a time: the simdgroup stores its tile, and
    // its lanes mask, decay and round it into P.
    for (uint j = 0; j < BT; j += TILE) {
        simdgroup_float8x8 qk = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
        for (uint d = 0; d < STATE_K; d += TILE) {
            simdgroup_bfloat8x8 rows, columns;
            simdgroup_load(rows, q_rows + d, k_stride);
            simdgroup_load(columns, k_chunk + j * k_stride + d, k_stride, ulong2(0, 0), true);
            simdgroup_multiply_accumulate(qk, rows, columns, qk);
        }
        simdgroup_store(qk, scores + own * TILE, TILE);
        // Orders the stored tile before the reads of the simdgroup's lanes.
        simdgroup_barrier(mem_flags::mem_threadgroup);
        for (uint e = thread_id % 32; e < TILE * TILE; e += 32) {
            const uint i = own + e / TILE;
            const uint col = j + e % TILE;
            const float decay = exp(g[(first + i) * H + head] - g[(first + col) * H + head]);
            P[i * BT + col] = col <= i ? bfloat(decay * scores[own * TILE + e]) : bfloat(0.0f);
        }
        // Orders those reads before the next tile is stored over it, and the
        // writes of P before the matrix loads of this simdgroup.
        simdgroup_barrier(mem_flags::mem_threadgroup);
    }

    // 2. q h^T and P v_new for this simdgroup's tokens.
    for (uint r = 0; r < BV; r += TILE) {
        simdgroup_float8x8 qh = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
        for (uint d = 0; d < STATE_K; d += TILE) {
            simdgroup_bfloat8x8 rows, columns;
            simdgroup_load(rows, q_rows + d, k_stride);
            simdgroup_load(columns, h_rows + r * STATE_K + d, STATE_K, ulong2(0, 0), true);
            simdgroup_multiply_accumulate(qh, rows, columns, qh);
        }
        simdgroup_store(qh, sums + own * BV + r, BV);
        simdgroup_float8x8 pv = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
        for (uint j = 0; j <= own; j += TILE) {
            simdgroup_bfloat8x8 rows, columns;
            simdgroup_load(rows, P + own * BT + j, BT);
            simdgroup_load(columns, v_chunk + j * v_stride + r, v_stride);
            simdgroup_multiply_accumulate(pv, rows, columns, pv);
        }
        simdgroup_store(pv, scores + own * TILE, TILE);
        // Orders both stored tiles before the reads of the simdgroup's lanes.
        simdgroup_barrier(mem_flags::mem_threadgroup);
        for (uint e = thread_id % 32; e < TILE * TILE; e += 32) {
            const uint i = own + e / TILE;
            const uint col = r + e % TILE;
            const ulong token = (first + i) * H + head;
            const float out = exp(g[token]) * sums[i * BV + col] + scores[own * TILE + e];
            o[token * V + first_v + col] = bfloat(scale * out);
        }
        // Orders those reads before the next tiles are stored over them.
        simdgroup_barrier(mem_flags::mem_threadgroup);
    }
}

// ln(1 + y) for y >= 0, good to a few ulp however small y is: what 1 + y loses of
// y by rounding, the quotient gives back. Other modes would take u - 1 for y.
static inline float log_1p(float y)
{
    #pragma METAL fp math_mode(safe)
    const float u = 1.0f + y;
    return u == 1.0f ? y : log(u) * (y / (u - 1.0f));
}

// 1 / (1 + exp(-x)), from the exponential of -|x|: that of -x may overflow, and fast math
// knows no infinity.
static inline float sigmoid(float x)
{
    const float e = exp(-abs(x));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

// Decay and gate of each token and head from the outputs of their projections:
//
//     g_decay   = exp(-exp(A_log) * softplus(alpha + dt_bias))
//     beta_gate = 1 / (1 + exp(-beta))
//
// softplus(x) = ln(1 + e^x) is taken as max(x, 0) + ln(1 + e^-|x|): e^x overflows
// above 88, and below -17 it would vanish beside 1.
//
// Grid: T threadgroups of num_v_heads threads.
// Threadgroup memory: none.
// Writes: thread h of threadgroup t writes g_decay[t, h] and beta_gate[t, h].
kernel void compute_decay_beta(
    device const float*  alpha_out   [[buffer(0)]],  // [T, num_v_heads]
    device const float*  beta_out    [[buffer(1)]],  // [T, num_v_heads]
    device const float*  A_log       [[buffer(2)]],  // [num_v_heads]
    device const bfloat* dt_bias     [[buffer(3)]],  // [num_v_heads]
    device float*        g_decay     [[buffer(4)]],  // [T, num_v_heads]
    device float*        beta_gate   [[buffer(5)]],  // [T, num_v_heads]
    constant uint&       num_v_heads [[buffer(6)]],
    uint t [[threadgroup_position_in_grid]],
    uint h [[thread_index_in_threadgroup]])
{
    // The sum and e^A_log may be infinite, which fast math does not know.
    #pragma METAL fp math_mode(safe)
    const ulong at = ulong(t) * num_v_heads + h;
    const float x = alpha_out[at] + float(dt_bias[h]);
    const float softplus = max(x, 0.0f) + log_1p(exp(-abs(x)));
    g_decay[at] = exp(-exp(A_log[h]) * softplus);
    beta_gate[at] = sigmoid(beta_out[at]);
}

// Taps of the causal convolution, and the rows of the past that it keeps.
constant constexpr uint CONV_WIDTH = 4;
constant constexpr uint CONV_PAST = CONV_WIDTH - 1;

// Row t of the virtual sequence that has the rows of the past in front of the
// input, channel c.
static inline float conv_row(
    device const float* conv_state,  // [3, C]
    device const float* input,       // [T, C]
    uint t,
    ulong c,
    uint C)
{
    return t < CONV_PAST ? conv_state[ulong(t) * C + c] : input[ulong(t - CONV_PAST) * C + c];
}

// Causal depthwise convolution of width 4, and SiLU:
//
//     output[t, c] = silu(sum_{j<4} row(t + j)[c] * weights[c, j])
//
// where rows 0 ... 2 are the state and the others the input.
//
// Grid: (ceil(conv_dim / 256), T) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread (c, t) writes output[t, c]; the state is only read.
kernel void conv1d_step(
    device const float*  conv_state [[buffer(0)]],  // [3, conv_dim]
    device const float*  input      [[buffer(1)]],  // [T, conv_dim]
    device const bfloat* weights    [[buffer(2)]],  // [conv_dim, 4]
    device float*        output     [[buffer(3)]],  // [T, conv_dim]
    constant uint&       conv_dim   [[buffer(4)]],
    uint2 position [[thread_position_in_grid]])
{
    const ulong c = position.x;  // four weights a channel may need more than 32 bits
    const uint t = position.y;
    if (c >= conv_dim) {
        return;
    }
    float sum = 0.0f;
    for (uint j = 0; j < CONV_WIDTH; j++) {
        sum += conv_row(conv_state, input, t + j, c, conv_dim) * float(weights[c * CONV_WIDTH + j]);
    }
    output[ulong(t) * conv_dim + c] = sum * sigmoid(sum);
}

// The state after n_tokens tokens: the last three rows of the old state with the
// input behind it.
//
// Grid: ceil(conv_dim / 256) threadgroups of 256 threads.
// Threadgroup memory: none.
// Writes: thread c writes channel c of the three rows, after it has read all of
// that channel that it needs.
kernel void conv1d_state_update(
    device float*       conv_state [[buffer(0)]],  // [3, conv_dim]
    device const float* input      [[buffer(1)]],  // [n_tokens, conv_dim]
    constant uint&      conv_dim   [[buffer(2)]],
    constant uint&      n_tokens   [[buffer(3)]],
    uint c [[thread_position_in_grid]])
{
    if (c >= conv_dim) {
        return;
    }
    float rows[CONV_PAST];
    for (uint r = 0; r < CONV_PAST; r++) {
        rows[r] = conv_row(conv_state, input, n_tokens + r, c, conv_dim);
    }
    for (uint r = 0; r < CONV_PAST; r++) {
        conv_state[ulong(r) * conv_dim + c] = rows[r];
    }
}
