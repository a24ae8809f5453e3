#include <metal_stdlib>
using namespace metal;

struct Dims {
    uint rows;
    uint cols;
    uint ld;
    float scale;
};

// y[r] = scale * sum over c of gelu(x[c]) * w[r * ld + c], a simdgroup for each row.
kernel void gelu_rows(device const half *w [[buffer(0)]], device const float *x [[buffer(1)]], device float *y [[buffer(2)]], constant Dims &d [[buffer(3)]],
                      uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float sum = 0.0f;
    for (uint c = lane; c < d.cols; c += 32) {
        float v = x[c];
        sum += 0.5f * v * (1.0f + precise::tanh(0.7978845608f * (v + 0.044715f * v * v * v))) * float(w[row * d.ld + c]);
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        y[row] = d.scale * sum;
    }
}
