#include <metal_stdlib>
using namespace metal;

// Strides in bytes with that of an element; pairs half of the rotated part apart, the rest copied.
struct RopePairs { long ne0; int n_dims; ulong nb00, nb01, nb0, nb1; float base; };
kernel void rope_pairs(constant RopePairs &p [[buffer(0)]], device const char *src [[buffer(1)]], device const int *pos [[buffer(2)]], device char *dst [[buffer(3)]],
                       uint row [[threadgroup_position_in_grid]], ushort t [[thread_position_in_threadgroup]], ushort threads [[threads_per_threadgroup]]) {
    for (long i0 = 2 * t; i0 < p.ne0; i0 += 2 * threads) {
        const bool rotated = i0 < p.n_dims;
        const long at = rotated ? i0 / 2 : i0;
        device const half *x = (device const half *)(src + row * p.nb01 + at * p.nb00);
        device half *y = (device half *)(dst + (FAULT == 2 ? row / 2 : row) * p.nb1 + at * p.nb0);
        if (rotated) {
            const float angle = pos[row] * pow(p.base, -float(i0) / p.n_dims), a = x[0], b = x[p.n_dims / 2];
            y[0] = half(a * cos(angle) - b * sin(angle));
            y[p.n_dims / 2] = half(a * sin(angle) + b * cos(angle));
        } else {
            y[0] = x[0];
            y[1] = x[1];
        }
    }
}
