// The same memory as floats and as words.
// dispatch threads=2 per=2
// local 0 16
// want 0 uint 0x3f800000 0x40000000
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], threadgroup float* v [[threadgroup(0)]], uint t [[thread_index_in_threadgroup]])
{
    v[t] = t + 1;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[t] = ((threadgroup uint*)v)[t];
}
