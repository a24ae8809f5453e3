// A plain read beside them does.
// dispatch threads=2 per=2
// bind 0 uint 0
// bind 1 int 0 x64
// find 13:19 wrong race read and atomic access; 12:5
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* count [[buffer(0)]], device uint* out [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    device atomic_uint* a = (device atomic_uint*)count;
    atomic_fetch_add_explicit(a, 1u, memory_order_relaxed);
    out[i] = count[0];
}
