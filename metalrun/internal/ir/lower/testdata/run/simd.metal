#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

//= 496 31 0 10 1 32 0 31
//threads 32
kernel void reductions(device int *out, uint lane [[thread_index_in_simdgroup]]) {
    int x = int(lane);
    int sum = simd_sum(x), most = simd_max(x), least = simd_min(x);
    int prefix = simd_prefix_exclusive_sum(x);
    bool some = simd_any(x == 7);
    int count = popcount(uint(ulong(simd_ballot(true))));
    int both = simd_and(x);
    int up = simd_shuffle_xor(x, 31);
    if (lane == 5) out[3] = prefix;
    if (lane == 0) {
        out[0] = sum;
        out[1] = most;
        out[2] = least;
        out[4] = some;
        out[5] = count;
        out[6] = both;
        out[7] = up;
    }
}

//= 6 22 38
//threads 12
kernel void quads(device int *out, uint i [[thread_index_in_threadgroup]]) {
    int s = quad_sum(int(i));
    if (i % 4 == 0) out[i / 4] = s;
}

//= 240 -1 112
//threads 32
kernel void active_lanes(device int *out, uint lane [[thread_index_in_simdgroup]]) {
    if (lane < 16) {
        int odd = lane % 2 ? int(simd_sum(int(lane))) : -1;
        if (lane == 0) out[1] = odd;
    } else {
        int s = simd_sum(int(lane % 16)) * 2;
        if (lane == 16) out[0] = s;
    }
    int even = lane % 2 == 0 && lane < 16 ? int(simd_sum(int(lane))) * 2 : 0;
    if (lane == 2) out[2] = even;
}

// out = a · transpose(a) for a = [8, 8] with a[r][c] = r + c, then + identity.
//= 141 168 196 224 252 280 308 336 168 205
//threads 32
kernel void matrices(device float *out, uint lane [[thread_index_in_simdgroup]]) {
    threadgroup float a[64];
    threadgroup float d[64];
    for (uint i = lane; i < 64; i += 32) a[i] = float(i / 8 + i % 8);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_float8x8 m, t, sum(1.0f);
    simdgroup_load(m, a, 8);
    simdgroup_load(t, a, 8, ulong2(0, 0), true);
    simdgroup_multiply_accumulate(sum, m, t, sum);
    simdgroup_store(sum, d, 8);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    if (lane < 10) out[lane] = d[lane];
}

// Transposed loads apply the origin to the matrix in memory.
//= 34 50 35 51
//threads 32
kernel void origins(device float *out, uint lane [[thread_index_in_simdgroup]]) {
    threadgroup float a[256];
    for (uint i = lane; i < 256; i += 32) a[i] = float(i);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_float8x8 m;
    uint stride = 16;
    simdgroup_load(m, a, stride, ulong2(2, 2), true);
    if (lane == 0) {
        out[0] = m.thread_elements()[0];
        out[1] = m.thread_elements()[1];
    }
    if (lane == 2) {
        out[2] = m.thread_elements()[0];
        out[3] = m.thread_elements()[1];
    }
}

//= 3 6 12
//threads 32
kernel void matrix_arrays(device float *out, uint lane [[thread_index_in_simdgroup]]) {
    simdgroup_float8x8 m[3];
    for (int i = 0; i < 3; i++) m[i] = make_filled_simdgroup_matrix<float, 8, 8>(float(1 << i));
    for (int i = 0; i < 3; i++) m[i].thread_elements()[1] *= 3.0f;
    if (lane == 9) {
        for (int i = 0; i < 3; i++) out[i] = m[i].thread_elements()[1];
    }
}
