#include <metal_stdlib>
using namespace metal;

float sum(device const float* p, const uint n) { float s = 0; for (uint i = 0; i < n; i++) s += p[i]; return s; }
float mixed(const device float* a, device const float* b) { return *a - *b; }
kernel void qualifiers(device float* out [[buffer(0)]], const device float* in [[buffer(1)]], device const float* const w [[buffer(2)]])
{
    const float scale = 2;
    const device float* p = out;
    p = in;
    device float* const q = out;
    *q = sum(p, 4) * scale + mixed(w, in);
    device const float* __restrict r = w;
    q[1] = r[0];
}
