#include <metal_stdlib>
using namespace metal;

// Simdgroups share a row, and their number comes with the launch.
kernel void gemv_shared(device const float *w [[buffer(0)]], device const float *x [[buffer(1)]], device float *y [[buffer(2)]], constant int &ncols [[buffer(3)]],
                        constant int &nrows [[buffer(4)]], constant short &nsg [[buffer(5)]], uint row [[threadgroup_position_in_grid]],
                        ushort lane [[thread_index_in_simdgroup]], ushort sg [[simdgroup_index_in_threadgroup]]) {
    threadgroup float part[32];
    if (int(row) >= nrows) return;
    float sum = 0;
    for (int i = sg * 32 + lane; i < ncols; i += 32 * nsg) sum += w[row * ncols + i] * x[i];
    sum = simd_sum(sum);
    if (lane == 0) part[sg] = sum;
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    if (sg == 0 && lane == 0) {
        for (short i = 1; i < nsg; i++) sum += part[i];
        y[FAULT == 2 ? 0 : row] = sum;
    }
}
