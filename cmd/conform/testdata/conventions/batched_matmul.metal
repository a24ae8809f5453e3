#include <metal_stdlib>
using namespace metal;

// Strides of batches that may be zero, and matrices whose rows lie apart.
struct Batched { uint m, n, k, lda, ldb, ldc; ulong batch_stride_a, batch_stride_b, batch_stride_c; };
kernel void batched_matmul(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]], device float *c [[buffer(2)]], constant Batched &p [[buffer(3)]],
                           uint3 gid [[thread_position_in_grid]]) {
    if (gid.x >= p.n || gid.y >= p.m) return;
    device const float *row = a + gid.z * p.batch_stride_a + gid.y * p.lda;
    device const float *column = b + gid.z * p.batch_stride_b + gid.x;
    float sum = 0;
    for (uint i = 0; i < p.k; i++) sum += row[i] * column[i * p.ldb];
    c[gid.z * p.batch_stride_c + (FAULT == 2 ? gid.y / 2 : gid.y) * p.ldc + gid.x] = sum;
}
