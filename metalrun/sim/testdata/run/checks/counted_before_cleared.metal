// Some threads count before others have cleared what they count in.
// dispatch threads=64 per=64
// local 0 256
// want 0 uint 1 x64
// find 12:5 wrong race atomic access and write; 11:10
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* out [[buffer(0)]], threadgroup uint* n [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    n[i] = 0;
    atomic_fetch_add_explicit((threadgroup atomic_uint*)n + (63 - i), 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = n[i];
}
