#include <metal_stdlib>
using namespace metal;

// Rows of a table, by identifiers that may repeat.
struct Embed { uint vocab, dim, tokens, padding; };
kernel void embedding(device const half *table [[buffer(0)]], device const int *ids [[buffer(1)]], device half *out [[buffer(2)]], constant Embed *p [[buffer(3)]],
                      uint2 gid [[thread_position_in_grid]]) {
    if (gid.x >= p->dim || gid.y >= p->tokens) return;
    const uint id = min(uint(ids[gid.y]), p->vocab - 1);
    out[(FAULT == 2 ? gid.y / 2 : gid.y) * p->dim + gid.x] = table[id * p->dim + gid.x];
}
