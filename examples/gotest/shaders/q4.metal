#include <metal_stdlib>
using namespace metal;

// y = W x, with eight codes of four bits in a word and a scale and an offset for 64 of them. A simdgroup for each row.
kernel void q4_matvec(device const uint *w [[buffer(0)]], device const half *scale [[buffer(1)]],
                      device const half *offset [[buffer(2)]], device const float *x [[buffer(3)]],
                      device float *y [[buffer(4)]], constant uint &n [[buffer(5)]],
                      uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    float sum = 0;
    for (uint word = lane; word < n / 8; word += 32) {
        const uint codes = w[row * (n / 8) + word];
        const uint group = row * (n / 64) + word / 8;
        for (uint i = 0; i < 8; i++) {
            sum += (float(codes >> (4 * i) & 15) * float(scale[group]) + float(offset[group])) * x[word * 8 + i];
        }
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        y[row] = sum;
    }
}
