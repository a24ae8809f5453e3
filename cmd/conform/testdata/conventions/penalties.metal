#include <metal_stdlib>
using namespace metal;

// Logits of tokens that a list names, each at most once.
struct Penalty { uint n_tokens; uint vocab; float repeat; };
kernel void penalties(device float *logits [[buffer(0)]], device const uint *tokens [[buffer(1)]], constant Penalty &p [[buffer(2)]], uint2 gid [[thread_position_in_grid]]) {
    if (gid.x >= p.n_tokens) return;
    const uint token = tokens[gid.y * p.n_tokens + gid.x];
    if (token >= p.vocab) return;
    device float &l = logits[(FAULT == 2 ? 0 : gid.y * p.vocab) + token];
    l = l > 0 ? l / p.repeat : l * p.repeat;
}
