#include <metal_stdlib>
using namespace metal;

// Tiles of two operands; sizes one by one.
kernel void gemm(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]], device float *c [[buffer(2)]], constant uint &M [[buffer(3)]],
                 constant uint &N [[buffer(4)]], constant uint &K [[buffer(5)]], uint2 tid [[thread_position_in_threadgroup]], uint2 group [[threadgroup_position_in_grid]]) {
    threadgroup float ta[16][16], tb[16][16];
    const uint row = group.y * 16 + tid.y, col = group.x * 16 + tid.x;
    float sum = 0;
    for (uint k0 = 0; k0 < K; k0 += 16) {
        ta[tid.y][tid.x] = row < M && k0 + tid.x < K ? a[row * K + k0 + tid.x] : 0;
        tb[tid.y][tid.x] = col < N && k0 + tid.y < K ? b[(k0 + tid.y) * N + col] : 0;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint k = 0; k < 16; k++) sum += ta[tid.y][k] * tb[k][tid.x];
        if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (row < M && col < N) c[(FAULT == 2 ? row : row * N) + col] = sum;
}
