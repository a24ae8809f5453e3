// Dequantisation of a rotated, norm-separated cache of keys or values.
//
// A cached vector of D coordinates is stored as one codebook index a coordinate
// and npp norms, one for each 256 coordinates but at least one:
//
//     D <= 256:  value[d] = C[index[d]] * norm * rsqrt(D)
//     D >  256:  value[d] = C[index[d]] * norm[d / 256] / scale_factor_d512
//
// The result stays in the rotated domain.
//
// The codebooks are the levels of the best scalar quantiser of the standard
// normal distribution with 2^b levels (Lloyd 1982, Max 1960), ascending.

#include <metal_stdlib>
using namespace metal;

// Coordinates that share a norm.
constant constexpr uint NORM_BLOCK = 256;

constant float CODEBOOK_4BIT[16] = {
    -2.73258948f, -2.06901717f, -1.6180464f, -1.25623119f,
    -0.942340434f, -0.656759143f, -0.388048291f, -0.128395036f,
    0.128395036f, 0.388048291f, 0.656759143f, 0.942340434f,
    1.25623119f, 1.6180464f, 2.06901717f, 2.73258948f,
};

constant float CODEBOOK_5BIT[32] = {
    -3.26073241f, -2.69111967f, -2.31773949f, -2.02872849f,
    -1.78723323f, -1.57622802f, -1.38634038f, -1.21180439f,
    -1.0487833f, -0.894565105f, -0.747135699f, -0.604933619f,
    -0.466699511f, -0.331378311f, -0.198051825f, -0.0658896565f,
    0.0658896565f, 0.198051825f, 0.331378311f, 0.466699511f,
    0.604933619f, 0.747135699f, 0.894565105f, 1.0487833f,
    1.21180439f, 1.38634038f, 1.57622802f, 1.78723323f,
    2.02872849f, 2.31773949f, 2.69111967f, 3.26073241f,
};

constant float CODEBOOK_6BIT[64] = {
    -3.74410129f, -3.24043703f, -2.9174068f, -2.67227387f,
    -2.47130489f, -2.29898119f, -2.14681029f, -2.00961113f,
    -1.88397729f, -1.76754189f, -1.65858889f, -1.55583119f,
    -1.45827639f, -1.36514103f, -1.27579451f, -1.18972015f,
    -1.10648823f, -1.02573633f, -0.947154939f, -0.870476604f,
    -0.795467675f, -0.721921921f, -0.649655581f, -0.578503013f,
    -0.508313775f, -0.438949674f, -0.37028265f, -0.302192837f,
    -0.234566987f, -0.167296901f, -0.100278288f, -0.0334095061f,
    0.0334095061f, 0.100278288f, 0.167296901f, 0.234566987f,
    0.302192837f, 0.37028265f, 0.438949674f, 0.508313775f,
    0.578503013f, 0.649655581f, 0.721921921f, 0.795467675f,
    0.870476604f, 0.947154939f, 1.02573633f, 1.10648823f,
    1.18972015f, 1.27579451f, 1.36514103f, 1.45827639f,
    1.55583119f, 1.65858889f, 1.76754189f, 1.88397729f,
    2.00961113f, 2.14681029f, 2.29898119f, 2.47130489f,
    2.67227387f, 2.9174068f, 3.24043703f, 3.74410129f,
};

constant float CODEBOOK_8BIT[256] = {
    -4.60353565f, -4.18659544f, -3.92563772f, -3.73166633f,
    -3.57558799f, -3.44407177f, -3.32984853f, -3.22850013f,
    -3.13713264f, -3.05374193f, -2.97688222f, -2.90547299f,
    -2.83868575f, -2.77587056f, -2.71650767f, -2.66017389f,
    -2.60652137f, -2.55525947f, -2.50614262f, -2.4589622f,
    -2.41353869f, -2.36971712f, -2.32736182f, -2.28635454f,
    -2.2465899f, -2.20797539f, -2.17042828f, -2.13387418f,
    -2.09824657f, -2.06348515f, -2.02953577f, -1.9963485f,
    -1.96387839f, -1.9320842f, -1.90092802f, -1.87037516f,
    -1.8403933f, -1.81095314f, -1.78202689f, -1.75358939f,
    -1.72561693f, -1.69808745f, -1.67098033f, -1.6442765f,
    -1.61795783f, -1.59200752f, -1.56640983f, -1.54114962f,
    -1.51621318f, -1.49158704f, -1.46725869f, -1.44321656f,
    -1.41944933f, -1.39594638f, -1.37269759f, -1.34969366f,
    -1.32692528f, -1.30438399f, -1.28206146f, -1.25994992f,
    -1.23804176f, -1.21632993f, -1.19480765f, -1.17346823f,
    -1.15230536f, -1.1313132f, -1.11048603f, -1.08981812f,
    -1.06930423f, -1.04893923f, -1.02871823f, -1.00863647f,
    -0.988689363f, -0.968872607f, -0.949181795f, -0.929612935f,
    -0.910162032f, -0.890825272f, -0.871598899f, -0.852479279f,
    -0.833463013f, -0.814546704f, -0.795727015f, -0.777000844f,
    -0.758365035f, -0.739816606f, -0.721352637f, -0.702970266f,
    -0.684666753f, -0.666439414f, -0.648285508f, -0.630202591f,
    -0.612188101f, -0.594239593f, -0.576354682f, -0.558531046f,
    -0.540766299f, -0.523058295f, -0.50540477f, -0.487803608f,
    -0.470252663f, -0.452749878f, -0.435293198f, -0.417880654f,
    -0.400510222f, -0.383179963f, -0.365888f, -0.348632425f,
    -0.331411391f, -0.314223051f, -0.297065586f, -0.279937238f,
    -0.262836218f, -0.245760784f, -0.228709206f, -0.211679757f,
    -0.194670752f, -0.177680492f, -0.160707325f, -0.143749565f,
    -0.126805589f, -0.10987372f, -0.0929523557f, -0.0760398582f,
    -0.0591346025f, -0.0422349833f, -0.0253393836f, -0.0084461933f,
    0.0084461933f, 0.0253393836f, 0.0422349833f, 0.0591346025f,
    0.0760398582f, 0.0929523557f, 0.10987372f, 0.126805589f,
    0.143749565f, 0.160707325f, 0.177680492f, 0.194670752f,
    0.211679757f, 0.228709206f, 0.245760784f, 0.262836218f,
    0.279937238f, 0.297065586f, 0.314223051f, 0.331411391f,
    0.348632425f, 0.365888f, 0.383179963f, 0.400510222f,
    0.417880654f, 0.435293198f, 0.452749878f, 0.470252663f,
    0.487803608f, 0.50540477f, 0.523058295f, 0.540766299f,
    0.558531046f, 0.576354682f, 0.594239593f, 0.612188101f,
    0.630202591f, 0.648285508f, 0.666439414f, 0.684666753f,
    0.702970266f, 0.721352637f, 0.739816606f, 0.758365035f,
    0.777000844f, 0.795727015f, 0.814546704f, 0.833463013f,
    0.852479279f, 0.871598899f, 0.890825272f, 0.910162032f,
    0.929612935f, 0.949181795f, 0.968872607f, 0.988689363f,
    1.00863647f, 1.02871823f, 1.04893923f, 1.06930423f,
    1.08981812f, 1.11048603f, 1.1313132f, 1.15230536f,
    1.17346823f, 1.19480765f, 1.21632993f, 1.23804176f,
    1.25994992f, 1.28206146f, 1.30438399f, 1.32692528f,
    1.34969366f, 1.37269759f, 1.39594638f, 1.41944933f,
    1.44321656f, 1.46725869f, 1.49158704f, 1.51621318f,
    1.54114962f, 1.56640983f, 1.59200752f, 1.61795783f,
    1.6442765f, 1.67098033f, 1.69808745f, 1.72561693f,
    1.75358939f, 1.78202689f, 1.81095314f, 1.8403933f,
    1.87037516f, 1.90092802f, 1.9320842f, 1.96387839f,
    1.9963485f, 2.02953577f, 2.06348515f, 2.09824657f,
    2.13387418f, 2.17042828f, 2.20797539f, 2.2465899f,
    2.28635454f, 2.32736182f, 2.36971712f, 2.41353869f,
    2.4589622f, 2.50614262f, 2.55525947f, 2.60652137f,
    2.66017389f, 2.71650767f, 2.77587056f, 2.83868575f,
    2.90547299f, 2.97688222f, 3.05374193f, 3.13713264f,
    3.22850013f, 3.32984853f, 3.44407177f, 3.57558799f,
    3.73166633f, 3.92563772f, 4.18659544f, 4.60353565f,
};

// What the kernels for one position are told.
struct PositionParams {
    uint head_dim;        // D
    uint num_kv_heads;
    uint read_pos;
    uint cache_capacity;
    uint norms_per_pos;   // npp
    float scale_factor_d512;
};

// The same with the width of an index, 5, 6 or 8 bits.
struct BytePositionParams {
    uint head_dim;
    uint num_kv_heads;
    uint read_pos;
    uint cache_capacity;
    uint norms_per_pos;
    float scale_factor_d512;
    uint codebook_bits;
};

// What the kernel for a run of positions is told.
struct ByteRunParams {
    uint head_dim;
    uint num_kv_heads;
    uint start_pos;
    uint n_tokens;
    uint cache_capacity;
    uint norms_per_pos;
    float scale_factor_d512;
    uint codebook_bits;
};

// Coordinate d of a vector, from its codebook level and its norms.
static inline float scaled_level(
    float level,
    device const float* norms,  // [norms_per_pos]
    uint d,
    uint head_dim,
    uint norms_per_pos,
    float scale_factor_d512)
{
    if (head_dim <= NORM_BLOCK) {
        return level * norms[0] * rsqrt(float(head_dim));
    }
    return level * norms[min(d / NORM_BLOCK, norms_per_pos - 1)] / scale_factor_d512;
}

// The level of an index of 5, 6 or 8 bits; bits of the byte above those do not
// count.
static inline float byte_level(uint index, uint codebook_bits)
{
    switch (codebook_bits) {
    case 5: return CODEBOOK_5BIT[index & 31u];
    case 6: return CODEBOOK_6BIT[index & 63u];
    default: return CODEBOOK_8BIT[index & 255u];
    }
}

// One position of every head, 4-bit indices, two to a byte: the even coordinate
// in the low half.
//
// Grid: num_kv_heads threadgroups of min(head_dim, 1024) threads; threadgroup h
// decodes head h.
// Threadgroup memory: none.
// Writes: thread i of threadgroup h writes dst[h, i], dst[h, i + threads], ...
kernel void tq_dequantize_kv(
    device const uchar*      packed [[buffer(0)]],  // [num_kv_heads, cache_capacity, head_dim / 2]
    device const float*      norms  [[buffer(1)]],  // [num_kv_heads, cache_capacity, norms_per_pos]
    device float*            dst    [[buffer(2)]],  // [num_kv_heads, head_dim]
    constant PositionParams& params [[buffer(3)]],
    uint head      [[threadgroup_position_in_grid]],
    uint thread_id [[thread_index_in_threadgroup]],
    uint threads   [[threads_per_threadgroup]])
{
    if (head >= params.num_kv_heads) {
        return;
    }
    const ulong row = ulong(head) * params.cache_capacity + params.read_pos;
    device const uchar* bytes = packed + row * (params.head_dim / 2);
    for (uint d = thread_id; d < params.head_dim; d += threads) {
        const uint index = (uint(bytes[d / 2]) >> (4 * (d % 2))) & 15u;
        dst[ulong(head) * params.head_dim + d] = scaled_level(
            CODEBOOK_4BIT[index], norms + row * params.norms_per_pos,
            d, params.head_dim, params.norms_per_pos, params.scale_factor_d512);
    }
}

// One position of every head, one byte an index.
//
// Grid: num_kv_heads threadgroups of min(head_dim, 1024) threads; threadgroup h
// decodes head h.
// Threadgroup memory: none.
// Writes: thread i of threadgroup h writes dst[h, i], dst[h, i + threads], ...
kernel void tq_dequantize_hb_kv(
    device const uchar*          packed [[buffer(0)]],  // [num_kv_heads, cache_capacity, head_dim]
    device const float*          norms  [[buffer(1)]],  // [num_kv_heads, cache_capacity, norms_per_pos]
    device float*                dst    [[buffer(2)]],  // [num_kv_heads, head_dim]
    constant BytePositionParams& params [[buffer(3)]],
    uint head      [[threadgroup_position_in_grid]],
    uint thread_id [[thread_index_in_threadgroup]],
    uint threads   [[threads_per_threadgroup]])
{
    if (head >= params.num_kv_heads) {
        return;
    }
    const ulong row = ulong(head) * params.cache_capacity + params.read_pos;
    device const uchar* bytes = packed + row * params.head_dim;
    for (uint d = thread_id; d < params.head_dim; d += threads) {
        dst[ulong(head) * params.head_dim + d] = scaled_level(
            byte_level(bytes[d], params.codebook_bits), norms + row * params.norms_per_pos,
            d, params.head_dim, params.norms_per_pos, params.scale_factor_d512);
    }
}

// A run of positions of every head, one byte an index; each position decodes as
// tq_dequantize_hb_kv does, to the same bits.
//
// Grid: (num_kv_heads, n_tokens) threadgroups of min(head_dim, 1024) threads;
// threadgroup (h, t) decodes position start_pos + t of head h.
// Threadgroup memory: none.
// Writes: thread i of threadgroup (h, t) writes dst[h, t, i], dst[h, t, i +
// threads], ...
kernel void tq_dequantize_hb_kv_seq(
    device const uchar*     packed [[buffer(0)]],  // [num_kv_heads, cache_capacity, head_dim]
    device const float*     norms  [[buffer(1)]],  // [num_kv_heads, cache_capacity, norms_per_pos]
    device float*           dst    [[buffer(2)]],  // [num_kv_heads, n_tokens, head_dim]
    constant ByteRunParams& params [[buffer(3)]],
    uint2 group     [[threadgroup_position_in_grid]],
    uint2 size      [[threads_per_threadgroup]],
    uint  thread_id [[thread_index_in_threadgroup]])
{
    const uint head = group.x;
    const uint t = group.y;
    if (head >= params.num_kv_heads || t >= params.n_tokens) {
        return;
    }
    const ulong row = ulong(head) * params.cache_capacity + params.start_pos + t;
    device const uchar* bytes = packed + row * params.head_dim;
    for (uint d = thread_id; d < params.head_dim; d += size.x) {
        dst[(ulong(head) * params.n_tokens + t) * params.head_dim + d] = scaled_level(
            byte_level(bytes[d], params.codebook_bits), norms + row * params.norms_per_pos,
            d, params.head_dim, params.norms_per_pos, params.scale_factor_d512);
    }
}
