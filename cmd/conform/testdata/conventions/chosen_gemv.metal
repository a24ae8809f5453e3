#include <metal_stdlib>
using namespace metal;

// Two simdgroups with four rows each; tokens and their experts share an axis of the grid, and another has one threadgroup.
struct ChosenGemv { int n_used; ulong ids_stride; int in_dim, out_dim; ulong expert_stride, row_stride, x_stride; };
kernel void chosen_gemv(device const char *w [[buffer(0)]], device const char *x [[buffer(1)]], device float *y [[buffer(2)]], device const char *ids [[buffer(3)]],
                        constant ChosenGemv &p [[buffer(4)]], uint3 group [[threadgroup_position_in_grid]], ushort lane [[thread_index_in_simdgroup]],
                        ushort sg [[simdgroup_index_in_threadgroup]]) {
    const int token = group.z / p.n_used, used = group.z % p.n_used;
    const int expert = ((device const int *)(ids + token * p.ids_stride))[used];
    device float *out = y + (token * p.n_used + (FAULT == 2 ? 0 : used)) * p.out_dim + group.y * p.out_dim;
    for (int r = 0; r < 4; r++) {
        const int row = (group.x * 2 + sg) * 4 + r;
        device const float *weights = (device const float *)(w + expert * p.expert_stride + row * p.row_stride);
        float sum = 0;
        for (int i = lane; i < p.in_dim; i += 32) sum += weights[i] * ((device const float *)(x + token * p.x_stride))[i];
        sum = simd_sum(sum);
        if (lane == 0 && row < p.out_dim) out[FAULT == 3 ? row % 8 : row] = sum;
    }
}
