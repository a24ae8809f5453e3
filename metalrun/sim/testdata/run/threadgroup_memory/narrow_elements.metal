// Halves, bfloats and bytes keep their own places.
// dispatch threads=4 per=4
// want 0 float 4 3 2 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup half h[4];
    threadgroup uchar c[4];
    threadgroup bfloat b[4];
    h[t] = t;
    c[t] = 1;
    b[t] = bfloat(0.0f);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[t] = float(h[3 - t]) + c[3 - t] + b[t];
}
