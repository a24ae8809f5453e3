#include <metal_stdlib>
using namespace metal;

// Pairs that are half of a head apart, of which the first are rotated; two lengths that go together, in a list.
kernel void partial_rope(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], device const uint *dims [[buffer(2)]], device const uint *positions [[buffer(3)]],
                         uint2 gid [[thread_position_in_grid]]) {
    const uint head_dim = dims[0], rotated = dims[1] / 2, half_dim = head_dim / 2;
    if (gid.x >= rotated) return;
    const float angle = positions[gid.y / dims[2]] * pow(10000.0f, -2.0f * gid.x / head_dim);
    const uint at = (FAULT == 2 ? gid.y / 2 : gid.y) * head_dim;
    y[at + gid.x] = x[at + gid.x] * cos(angle) - x[at + gid.x + half_dim] * sin(angle);
    y[at + gid.x + half_dim] = x[at + gid.x + half_dim] * cos(angle) + x[at + gid.x] * sin(angle);
    for (uint i = gid.x; i < half_dim - rotated; i += rotated) {
        y[at + rotated + i] = x[at + rotated + i];
        y[at + rotated + i + half_dim] = x[at + rotated + i + half_dim];
    }
}
