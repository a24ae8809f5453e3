#include <metal_stdlib>
using namespace metal;

// Heads and batches share one axis of the grid.
struct HeadsInZ { int dim, heads, seq; };
kernel void heads_in_z(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant HeadsInZ &p [[buffer(2)]], uint3 group [[threadgroup_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]], uint3 size [[threads_per_threadgroup]]) {
    const uint threads = size.x;
    const int batch = group.z / p.heads, head = group.z % p.heads;
    for (int i = t; i < p.dim; i += threads) {
        const long from = ((long(batch) * p.seq + group.x) * p.heads + head) * p.dim + i;
        const long to = ((long(batch) * p.heads + (FAULT == 2 ? head / 2 : head)) * p.seq + group.x) * p.dim + i;
        y[to] = x[from];
    }
}
