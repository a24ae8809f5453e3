// The programs of the modules beside this file, as a person would have written them.

#include <metal_stdlib>
using namespace metal;

struct Params {
    uint n;
    float a;
};

kernel void axpy(const device float *x [[buffer(0)]], device float *y [[buffer(1)]], constant Params &p [[buffer(2)]],
                 uint id [[thread_position_in_grid]])
{
    for (uint i = id; i < p.n; i += 64) {
        float v = x[i];
        if (v > 1.0f)
            v = v * 0.5f;
        y[i] = v * p.a + y[i];
    }
}

constant short table[4] = {3, -1, 7, 0};

int pick(uint k, int x)
{
    switch (k) {
    case 0: return x;
    case 1:
    case 2: return x * 3;
    }
    return -x;
}

kernel void gather(const device float4 *in [[buffer(0)]], device int *out [[buffer(1)]],
                   device atomic_uint *total [[buffer(2)]], uint id [[thread_index_in_threadgroup]],
                   ushort lane [[thread_index_in_simdgroup]])
{
    threadgroup int shared[64];
    int local[4] = {};
    const int4 n = int4(in[id] * 10.0f);
    const uint k = id & 3;
    local[k] = n.wzyx[k];
    shared[id] = pick(k, table[k]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const int sum = max(shared[id ^ 1], local[1]) + min(int(lane), 9);
    const uint all = simd_sum(uint(sum));
    if (lane == 0)
        atomic_fetch_add_explicit(total, all, memory_order_relaxed);
    out[id] = sum;
}

kernel void tile(const device float *a [[buffer(0)]], const device float *b [[buffer(1)]], device float *c [[buffer(2)]])
{
    simdgroup_float8x8 x, y, z = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
    simdgroup_load(x, a, 8, ulong2(0), false);
    simdgroup_load(y, b, 8, ulong2(0), true);
    simdgroup_multiply_accumulate(z, x, y, z);
    simdgroup_store(z, c, 8, ulong2(0), false);
}

constant float scale [[function_constant(0)]];

kernel void opaque(const device half *x [[buffer(0)]], device float *y [[buffer(1)]],
                   uint id [[thread_position_in_grid]])
{
    const float v = float(fma(x[id], 2.0h, 1.0h)) * scale;
    y[id] = float(ushort(v)) + v;
}
