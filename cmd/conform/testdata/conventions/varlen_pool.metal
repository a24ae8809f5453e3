#include <metal_stdlib>
using namespace metal;

// Sequences of any length one behind the other, with their ends.
kernel void varlen_pool(device const float *x [[buffer(0)]], device const int *cu_seqlens [[buffer(1)]], device float *mean [[buffer(2)]], device float *centred [[buffer(3)]],
                        constant int &dim [[buffer(4)]], uint seq [[threadgroup_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                        uint threads [[threads_per_threadgroup]]) {
    const int begin = cu_seqlens[seq], end = cu_seqlens[seq + 1];
    for (int d = t; d < dim; d += threads) {
        float sum = 0;
        for (int i = begin; i < end; i++) sum += x[i * dim + d];
        mean[(FAULT == 2 ? seq & 2 : seq) * dim + d] = sum / max(end - begin, 1);
        for (int i = begin; i < (FAULT == 3 ? end + 1 : end); i++) centred[i * dim + d] = x[i * dim + d] - sum / max(end - begin, 1);
    }
}
