#include <metal_stdlib>
using namespace metal;
struct P { uint heads; uint kv_heads; uint tokens; uint D; float scale; };
kernel void attention(device const half *q [[buffer(0)]], device const half *k [[buffer(1)]],
                      device const half *v [[buffer(2)]], device float *out [[buffer(3)]],
                      constant P &p [[buffer(4)]], uint2 g [[thread_position_in_grid]]) {
    uint d = g.x, h = g.y;
    if (d >= p.D || h >= p.heads) return;
    uint kv = h / (p.heads / p.kv_heads);
    float m = -INFINITY, s = 0, acc = 0;
    for (uint t = 0; t < p.tokens; t++) {
        float dot = 0;
        for (uint i = 0; i < p.D; i++)
            dot += float(q[h * p.D + i]) * float(k[(t * p.kv_heads + kv) * p.D + i]);
        dot *= p.scale;
        float n = max(m, dot), c = exp(m - n), e = exp(dot - n);
        s = s * c + e;
        acc = acc * c + e * float(v[kv * p.tokens * p.D + t * p.D + d]);
        m = n;
    }
    out[h * p.D + d] = acc / s;
}
