#include <metal_stdlib>
using namespace metal;

// y[n] = sum_k x[k] * (q[k][n] - z[k/group][n]) * s[k/group][n]; AWQ packs eight columns per word in the order 0 2 4 6 1 3 5 7.
kernel void awq_gemv(device const half *x [[buffer(0)]], device const uint *qweight [[buffer(1)]], device const uint *qzeros [[buffer(2)]],
                     device const half *scales [[buffer(3)]], device half *y [[buffer(4)]], constant uint &K [[buffer(5)]], constant uint &N [[buffer(6)]],
                     constant uint &group_size [[buffer(7)]], uint n [[thread_position_in_grid]]) {
  if (n >= N) return;
  const uint order[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  const uint shift = 4 * order[n % 8];
  const uint words = N / 8;
  float acc = 0.0f;
  for (uint k = 0; k < K; k++) {
    const uint g = k / group_size;
    const float q = float((qweight[k * words + n / 8] >> shift) & 0xF);
    const float z = float((qzeros[g * words + n / 8] >> shift) & 0xF);
    acc += float(x[k]) * (q - z) * float(scales[g * N + n]);
  }
  y[n] = half(acc);
}

struct GptqParams { uint in_features; uint out_features; uint groups; };
// eight rows of a column per word; g_idx gives the group of each row
kernel void gptq_matvec(device const float *input [[buffer(0)]], device const uint *qweight [[buffer(1)]], device const uint *qzeros [[buffer(2)]],
                        device const float *scales [[buffer(3)]], device const int *g_idx [[buffer(4)]], device float *output [[buffer(5)]],
                        constant GptqParams &p [[buffer(6)]], uint col [[thread_position_in_grid]]) {
  if (col >= p.out_features) return;
  float sum = 0.0f;
  for (uint r = 0; r < p.in_features / 8; r++) {
    uint w = qweight[r * p.out_features + col];
    for (uint j = 0; j < 8; j++) {
      const uint row = r * 8 + j;
      const uint g = uint(g_idx[row]);
      const uint z = ((qzeros[g * (p.out_features / 8) + col / 8] >> (4 * (col % 8))) & 15u) + 1;
      sum += input[row] * scales[g * p.out_features + col] * (float((w >> (4 * j)) & 15u) - float(z));
    }
  }
  output[col] = sum;
}

kernel void segment_sum(device const float *values [[buffer(0)]], device const uint *offsets [[buffer(1)]], device float *sums [[buffer(2)]],
                        constant uint &num_segments [[buffer(3)]], constant uint &dim [[buffer(4)]], uint2 gid [[thread_position_in_grid]]) {
  if (gid.y >= num_segments || gid.x >= dim) return;
  float s = 0.0f;
  for (uint i = offsets[gid.y]; i < offsets[gid.y + 1]; i++) s += values[i * dim + gid.x];
  sums[gid.y * dim + gid.x] = s;
}

kernel void csr_spmv(device const int *row_ptr [[buffer(0)]], device const int *col_idx [[buffer(1)]], device const float *vals [[buffer(2)]],
                     device const float *x [[buffer(3)]], device float *y [[buffer(4)]], constant int &n_rows [[buffer(5)]], constant int &n_cols [[buffer(6)]],
                     uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  if (int(row) >= n_rows) return;
  float s = 0.0f;
  for (int i = row_ptr[row] + int(lane); i < row_ptr[row + 1]; i += 32) s += vals[i] * x[col_idx[i]];
  s = simd_sum(s);
  if (lane == 0) y[row] = s;
}

// accepts drafted tokens while u < p/q, and says how many
kernel void accept_draft(device const float *target_probs [[buffer(0)]], device const float *draft_probs [[buffer(1)]], device const int *draft_tokens [[buffer(2)]],
                         device const float *uniforms [[buffer(3)]], device int *accepted [[buffer(4)]], constant uint &draft_len [[buffer(5)]],
                         constant uint &vocab [[buffer(6)]], constant uint &batch [[buffer(7)]], uint b [[thread_position_in_grid]]) {
  if (b >= batch) return;
  int count = 0;
  for (uint i = 0; i < draft_len; i++) {
    const int token = draft_tokens[b * draft_len + i];
    const float p = target_probs[(b * draft_len + i) * vocab + token], q = draft_probs[(b * draft_len + i) * vocab + token];
    if (uniforms[b * draft_len + i] * q >= p) break;
    count++;
  }
  accepted[b] = count;
}

// rows are sorted by expert; expert_offsets says where each one's rows begin
kernel void grouped_matmul(device const float *tokens [[buffer(0)]], device const float *weights [[buffer(1)]], device const uint *expert_offsets [[buffer(2)]],
                           device const uint *gather [[buffer(3)]], device float *out [[buffer(4)]], constant uint &num_experts [[buffer(5)]],
                           constant uint &hidden [[buffer(6)]], constant uint &inter [[buffer(7)]], uint2 gid [[thread_position_in_grid]], uint2 grid [[threads_per_grid]]) {
  const uint col = gid.x, e = gid.y;
  if (col >= inter || e >= num_experts) return;
  for (uint r = expert_offsets[e]; r < expert_offsets[e + 1]; r++) {
    float s = 0.0f;
    for (uint i = 0; i < hidden; i++) s += tokens[gather[r] * hidden + i] * weights[(e * inter + col) * hidden + i];
    out[r * inter + col] = s;
  }
}

kernel void reshape_and_cache(device const half *key [[buffer(0)]], device const half *value [[buffer(1)]], device half *key_cache [[buffer(2)]],
                              device half *value_cache [[buffer(3)]], device const int *slot_mapping [[buffer(4)]], constant int &num_tokens [[buffer(5)]],
                              constant int &num_heads [[buffer(6)]], constant int &head_size [[buffer(7)]], constant int &block_size [[buffer(8)]],
                              uint token [[threadgroup_position_in_grid]], uint tid [[thread_position_in_threadgroup]], uint threads [[threads_per_threadgroup]]) {
  const int slot = slot_mapping[token];
  if (slot < 0) return;
  const int block = slot / block_size, offset = slot % block_size;
  const int n = num_heads * head_size;
  for (int i = int(tid); i < n; i += int(threads)) {
    key_cache[(block * block_size + offset) * n + i] = key[int(token) * n + i];
    value_cache[(block * block_size + offset) * n + i] = value[int(token) * n + i];
  }
}
