#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

// Four simdgroups, each with a quarter of a tile of matrices.
struct Mm { int m, n, k, lda, ldb, ldc; };
kernel void matrix_tiles(device const half *a [[buffer(0)]], device const half *b [[buffer(1)]], device float *c [[buffer(2)]], constant Mm &p [[buffer(3)]],
                         threadgroup half *shared [[threadgroup(0)]], uint2 group [[threadgroup_position_in_grid]], ushort t [[thread_index_in_threadgroup]],
                         ushort sg [[simdgroup_index_in_threadgroup]]) {
    threadgroup half *sa = shared, *sb = shared + 32 * 16;
    const int r0 = group.y * 32, c0 = group.x * 32;
    simdgroup_float8x8 acc[2][2];
    for (short i = 0; i < 2; i++) for (short j = 0; j < 2; j++) acc[i][j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    for (int k0 = 0; k0 < p.k; k0 += 16) {
        for (short i = 0; i < 4; i++) {
            const short e = t * 4 + i;
            sa[e] = r0 + e / 16 < p.m ? a[(r0 + e / 16) * p.lda + k0 + e % 16] : 0.0h;
            sb[e] = c0 + e % 32 < p.n ? b[(k0 + e / 32) * p.ldb + c0 + e % 32] : 0.0h;
        }
        if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
        for (short k = 0; k < 16; k += 8) {
            for (short i = 0; i < 2; i++) {
                simdgroup_half8x8 ma;
                simdgroup_load(ma, sa + ((sg / 2) * 16 + i * 8) * 16 + k, 16);
                for (short j = 0; j < 2; j++) {
                    simdgroup_half8x8 mb;
                    simdgroup_load(mb, sb + k * 32 + (sg % 2) * 16 + j * 8, 32);
                    simdgroup_multiply_accumulate(acc[i][j], ma, mb, acc[i][j]);
                }
            }
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (r0 + 32 <= p.m && c0 + 32 <= p.n) {
        for (short i = 0; i < 2; i++)
            for (short j = 0; j < 2; j++)
                simdgroup_store(acc[i][j], c + (r0 + (sg / 2) * (FAULT == 2 ? 8 : 16) + i * 8) * p.ldc + c0 + (sg % 2) * 16 + j * 8, p.ldc);
    }
}
