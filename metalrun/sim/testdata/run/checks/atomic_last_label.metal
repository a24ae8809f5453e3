// Which label stays is decided by the order.
// dispatch threads=64 per=64
// want 0 uint 63
// find 9:5 wrong race atomic store and atomic store; 9:5
#include <metal_stdlib>
using namespace metal;
kernel void f(device atomic_uint* label [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    atomic_store_explicit(label, i, memory_order_relaxed);
}
