#include <metal_stdlib>
using namespace metal;

// Tiles of a matrix counted along one axis of the grid.
struct FlatTiles { uint rows, cols; };
kernel void flat_tiles(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant FlatTiles &p [[buffer(2)]], uint tile [[threadgroup_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]], uint threads [[threads_per_threadgroup]]) {
    const uint across = (p.cols + 31) / 32;
    const uint r0 = tile / across * 32, c0 = tile % across * 32;
    for (uint i = t; i < 32 * 32; i += threads) {
        const uint r = r0 + i / 32, c = c0 + i % 32;
        if (r < p.rows && c < p.cols) y[(FAULT == 2 ? r / 2 : r) * p.cols + c] = x[r * p.cols + c] * 2;
    }
}
