// Memory by argument has the length given at launch.
// dispatch threads=4 per=4
// local 0 16
// want 0 float 0.5 2 1.5 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], threadgroup float* v [[threadgroup(0)]], uint t [[thread_index_in_threadgroup]])
{
    v[t] = (t + 1) * 0.5f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[t] = v[(4 - t) % 4];
}
