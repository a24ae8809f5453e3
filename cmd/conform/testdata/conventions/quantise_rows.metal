#include <metal_stdlib>
using namespace metal;

// Eight bits and a factor for each group of a row.
struct QuantParams { uint rows, cols, group_size; };
kernel void quantise_rows(device const float *x [[buffer(0)]], device char *codes [[buffer(1)]], device float *scales [[buffer(2)]], constant QuantParams &p [[buffer(3)]],
                          uint2 gid [[thread_position_in_grid]]) {
    const uint groups = p.cols / p.group_size;
    if (gid.x >= groups || gid.y >= p.rows) return;
    device const float *from = x + gid.y * p.cols + gid.x * p.group_size;
    device char *to = codes + gid.y * p.cols + gid.x * p.group_size;
    float largest = 1e-5f;
    for (uint i = 0; i < p.group_size; i++) largest = max(largest, abs(from[i]));
    scales[gid.y * (FAULT == 2 ? 0 : groups) + gid.x] = largest / 127;
    for (uint i = 0; i < p.group_size; i++) to[i] = char(round(from[i] / largest * 127));
}
