#include <metal_stdlib>
using namespace metal;

// A pair of neighbours to a thread; tokens, heads and pairs are the grid.
struct RopeParams { uint head_dim; uint num_heads; uint seq_len; float base; };
kernel void rope_interleaved(device float *x [[buffer(0)]], device const int *positions [[buffer(1)]], constant RopeParams &p [[buffer(2)]], uint3 gid [[thread_position_in_grid]]) {
    const uint pair = gid.x, head = gid.y, token = gid.z;
    if (pair >= p.head_dim / 2 || head >= p.num_heads || token >= p.seq_len) return;
    const float angle = positions[token] * pow(p.base, -2.0f * pair / p.head_dim);
    device float *at = x + (token * p.num_heads + head) * p.head_dim + (FAULT == 2 ? pair : 2 * pair);
    const float a = at[0], b = at[1];
    at[0] = a * cos(angle) - b * sin(angle);
    at[1] = a * sin(angle) + b * cos(angle);
}
