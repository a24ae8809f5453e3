// A template with overloads for two spaces finds the right one by deduction.
// dispatch threads=2 per=2
// bind 1 half 3 4
// want 0 float 4 3
#include <metal_stdlib>
using namespace metal;

template <typename T> static float load(device const T* p, uint i) { return p[i]; }
template <typename T> static float load(threadgroup const T* p, uint i) { return p[1 - i]; }
kernel void f(device float* a [[buffer(0)]], device const half* x [[buffer(1)]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup float v[2];
    v[t] = load(x, t);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[t] = load(v, t);
}
