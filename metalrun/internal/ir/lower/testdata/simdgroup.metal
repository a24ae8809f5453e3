#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

kernel void product(device const half *a, device const half *b, device float *c, constant uint &stride) {
    simdgroup_half8x8 ma, mb;
    simdgroup_float8x8 acc = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    for (uint k = 0; k < stride; k += 8) {
        simdgroup_load(ma, a + k, stride);
        simdgroup_load(mb, b + k, stride, ulong2(0, 8), true);
        simdgroup_multiply_accumulate(acc, ma, mb, acc);
    }
    simdgroup_store(acc, c, 8);
}
