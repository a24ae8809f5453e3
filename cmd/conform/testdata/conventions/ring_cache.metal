#include <metal_stdlib>
using namespace metal;

// A cache whose rows are used again.
struct Ring { uint start, n_new, capacity, row_size; };
kernel void ring_cache(device const half *rows [[buffer(0)]], device half *cache [[buffer(1)]], constant Ring &p [[buffer(2)]], uint2 gid [[thread_position_in_grid]]) {
    if (gid.x >= p.row_size || gid.y >= p.n_new) return;
    const uint slot = (p.start + gid.y) % p.capacity;
    cache[(FAULT == 2 ? slot / 2 : slot) * p.row_size + gid.x] = rows[gid.y * p.row_size + gid.x];
}
