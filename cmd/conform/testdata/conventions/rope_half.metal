#include <metal_stdlib>
using namespace metal;

// Pairs that are half of the rotated part apart; the rest of a head is copied.
kernel void rope_half(device const half *in [[buffer(0)]], device half *out [[buffer(1)]], device const float *cos_table [[buffer(2)]], device const float *sin_table [[buffer(3)]],
                      device const uint *dims [[buffer(4)]], uint2 gid [[thread_position_in_grid]]) {
    const uint head_dim = dims[0], rotary_dim = dims[1], rows = dims[2], n_heads = dims[3];
    const uint half_dim = rotary_dim / 2;
    if (gid.x >= half_dim || gid.y >= rows) return;
    const uint token = gid.y / n_heads;
    device const half *x = in + gid.y * head_dim;
    device half *y = out + (FAULT == 2 ? token : gid.y) * head_dim;
    const float c = cos_table[token * half_dim + gid.x], s = sin_table[token * half_dim + gid.x];
    const float a = x[gid.x], b = x[gid.x + half_dim];
    y[gid.x] = half(a * c - b * s);
    y[gid.x + half_dim] = half(a * s + b * c);
    for (uint i = rotary_dim + gid.x; i < head_dim; i += half_dim) y[i] = x[i];
}
