#include <metal_stdlib>
using namespace metal;

float first(device const float* p) { return p[0]; }
float first(constant float* p) { return p[0]; }
float first(threadgroup const float* p) { return p[0]; }
float first(thread const float* p) { return p[0]; }
kernel void spaces(device float* d [[buffer(0)]], constant float* c [[buffer(1)]], threadgroup float* t [[threadgroup(0)]])
{
    float l[4] = {1, 2, 3, 4};
    threadgroup float shared[8];
    shared[0] = l[1];
    t[0] = shared[0];
    d[0] = first(d) + first(c) + first(t) + first(l) + first(shared);
    thread float* p = l;
    threadgroup float* q = &shared[2];
    *q = *p++;
    p[1] = q[-1];
    d[1] = *(p - 1) + (q - shared);
}
