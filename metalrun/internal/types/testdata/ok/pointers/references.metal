#include <metal_stdlib>
using namespace metal;

void bump(thread int& x) { x++; }
void bump(device int& x) { x += 2; }
int peek(const thread int& x) { return x; }
void both(thread float4& v, threadgroup float* s) { v.x = s[0]; }
kernel void references(device int* out [[buffer(0)]], constant int& k [[buffer(1)]], device float4& v [[buffer(2)]])
{
    int a = k;
    bump(a);
    bump(out[1]);
    thread int& r = a;
    r = 7;
    device int& o = out[2];
    o += r;
    const thread int& c = a;
    out[3] = c + peek(a) + peek(5) + peek(r + 1);
    auto& last = out[4];
    last = 9;
    threadgroup float s[2];
    float4 t;
    both(t, s);
    v = t;
    v.xy = v.yx;
    const constant int& kk = k;
    out[5] = kk;
}
