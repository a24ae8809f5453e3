#include <metal_stdlib>
using namespace metal;

// Tiles through threadgroup memory; leading dimensions.
struct Transpose { int rows; int cols; int ld_in; int ld_out; };
kernel void transpose(device const half *in [[buffer(0)]], device half *out [[buffer(1)]], constant Transpose &p [[buffer(2)]],
                      uint2 group [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
    const uint threads = size.x;
    threadgroup half tile[32][33];
    for (uint i = t; i < 32 * 32; i += threads) {
        int r = group.y * 32 + i / 32, c = group.x * 32 + i % 32;
        tile[i / 32][i % 32] = r < p.rows && c < p.cols ? in[r * p.ld_in + c] : 0.0h;
    }
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = t; i < 32 * 32; i += threads) {
        int r = group.x * 32 + i / 32, c = group.y * 32 + i % 32;
        if (r < p.cols && c < p.rows) out[r * p.ld_out + (FAULT == 2 ? c & ~1 : c)] = tile[i % 32][i / 32];
    }
}
