#include <metal_stdlib>
using namespace metal;

// Everything from one number of a thread; results lie by other strides.
struct FlatHeads { int batch, seq, heads, dim; int stride_b, stride_h, stride_s, stride_d; };
kernel void flat_heads(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant FlatHeads &p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    const int total = p.batch * p.seq * p.heads * p.dim;
    if (int(i) >= total) return;
    const int d = i % p.dim, h = i / p.dim % p.heads, s = i / p.dim / p.heads % p.seq, b = i / p.dim / p.heads / p.seq;
    y[b * p.stride_b + h * p.stride_h + s * p.stride_s + (FAULT == 2 ? d / 2 : d) * p.stride_d] = x[i];
}
