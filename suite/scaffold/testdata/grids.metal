#include <metal_stdlib>
using namespace metal;

constant bool DENSE [[function_constant(0)]];

kernel void keep(device const float *src [[buffer(0)]], device float *cache [[buffer(1)]], constant uint &heads [[buffer(2)]], constant uint &head_dim [[buffer(3)]],
    constant uint &capacity [[buffer(4)]], constant uint &at [[buffer(5)]], uint2 tid [[thread_position_in_grid]]) {
    if (tid.y < heads && tid.x < head_dim) {
        cache[(tid.y * capacity + at) * head_dim + tid.x] = src[tid.y * head_dim + tid.x];
    }
}

kernel void choose(constant ulong &numel [[buffer(0)]], constant ulong &num_dims [[buffer(1)]], constant ulong *strides [[buffer(2)]], device const float4 *x [[buffer(3)]],
    device float4 *y [[buffer(4)]], uint tid [[thread_position_in_grid]]) {
    if (tid * 2 >= numel) {
        return;
    }
    for (uint i = tid * 2; i < min(tid * 2 + 2, uint(numel)); i++) {
        ulong from = i;
        if (!DENSE) {
            from = 0;
            for (uint d = 0; d < num_dims; d++) {
                from += i % 2 * strides[d];
            }
        }
        y[i] = x[from];
    }
}

kernel void rank(device const float *x [[buffer(0)]], device uint *places [[buffer(1)]], constant uint &row_len [[buffer(2)]], constant uint &batch_size [[buffer(3)]],
    uint row [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint width [[threads_per_threadgroup]]) {
    if (row >= batch_size) {
        return;
    }
    for (uint i = t; i < row_len; i += width) {
        uint place = 0;
        for (uint j = 0; j < row_len; j++) {
            place += x[row * row_len + j] > x[row * row_len + i];
        }
        places[row * row_len + i] = place;
    }
}

kernel void top(device const half *z [[buffer(0)]], device float *best [[buffer(1)]], constant uint &cols [[buffer(2)]], constant uint &height [[buffer(3)]],
    uint group [[threadgroup_position_in_grid]], uint sg [[simdgroup_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]], uint sgs [[simdgroups_per_threadgroup]]) {
    uint row = group * sgs + sg;
    if (row >= height) {
        return;
    }
    float m = -MAXFLOAT;
    for (uint c = lane; c < cols; c += 32) {
        m = max(m, float(z[row * cols + c]));
    }
    m = simd_max(m);
    if (lane == 0) {
        best[row] = m;
    }
}

kernel void outer_products(device const float *u [[buffer(0)]], device const float *v [[buffer(1)]], device float *w [[buffer(2)]], constant int &nu [[buffer(3)]],
    constant int &nv [[buffer(4)]], uint3 at [[thread_position_in_grid]]) {
    if (int(at.x) < nu && int(at.y) < nv) {
        w[(at.z * nv + at.y) * nu + at.x] = u[at.z * nu + at.x] * v[at.z * nv + at.y];
    }
}

kernel void fetch(device const uint *codes [[buffer(0)]], device const half *scales [[buffer(1)]], device const uint *ids [[buffer(2)]], device float *y [[buffer(3)]],
    constant uint &width [[buffer(4)]], constant uint &group_size [[buffer(5)]], constant uint &bits [[buffer(6)]], constant uint &ld [[buffer(7)]], uint2 at [[thread_position_in_grid]]) {
    if (at.x >= width) {
        return;
    }
    uint row = ids[at.y], each = 32 / bits;
    uint code = codes[row * ld + at.x / each] >> at.x % each * bits & ((1 << bits) - 1);
    y[at.y * width + at.x] = float(code) * float(scales[row * (width / group_size) + at.x / group_size]);
}

kernel void pick_strided(device const float *src [[buffer(0)]], device float *dst [[buffer(1)]], constant uint &rows [[buffer(2)]], constant uint &cols [[buffer(3)]],
    constant uint &by_row [[buffer(4)]], constant uint &by_col [[buffer(5)]], uint2 at [[thread_position_in_grid]]) {
    if (at.x < cols && at.y < rows) {
        dst[at.y * cols + at.x] = src[at.y * by_row + at.x * by_col];
    }
}

kernel void sorted(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &n [[buffer(2)]], constant uint &padded [[buffer(3)]],
    uint2 group [[threadgroup_position_in_grid]], uint2 at [[thread_position_in_threadgroup]], threadgroup float *row [[threadgroup(0)]]) {
    if (at.x >= padded) {
        return;
    }
    row[at.x] = at.x < n ? x[group.y * n + at.x] : INFINITY;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint place = 0;
    for (uint i = 0; i < n; i++) {
        place += row[i] < row[at.x] || (row[i] == row[at.x] && i < at.x);
    }
    if (at.x < n) {
        y[group.y * n + place] = row[at.x];
    }
}

// Each element and its neighbours.
kernel void blurred(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &nx [[buffer(2)]], constant uint &ny [[buffer(3)]],
                    uint2 at [[thread_position_in_grid]])
{
    if (at.x >= nx || at.y >= ny) {
        return;
    }
    const uint i = at.y * nx + at.x;
    if (at.x == 0 || at.y == 0 || at.x == nx - 1 || at.y == ny - 1) {
        y[i] = x[i];
        return;
    }
    y[i] = x[i] + 0.2f * (x[i - 1] + x[i + 1] + x[i - nx] + x[i + nx] - 4.0f * x[i]);
}
