// The count is read before all have added to it.
// dispatch threads=64 per=64
// bind 0 uint 0
// want 1 uint 64
// find 11:28 wrong race atomic load and atomic add; 10:5
#include <metal_stdlib>
using namespace metal;
kernel void f(device atomic_uint* count [[buffer(0)]], device uint* out [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
    if (i == 0) { out[0] = atomic_load_explicit(count, memory_order_relaxed); }
}
