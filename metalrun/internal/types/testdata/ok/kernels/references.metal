#include <metal_stdlib>
using namespace metal;

struct Head { uint n; uint offset; };
kernel void references(constant uint& n [[buffer(0)]], constant Head& head [[buffer(1)]], device float4& total [[buffer(2)]],
    device const half& h [[buffer(3)]], device atomic_uint& counter [[buffer(4)]], threadgroup float4& shared [[threadgroup(0)]])
{
    shared = float4(h);
    total += shared * n;
    total.x = head.offset;
    atomic_fetch_add_explicit(&counter, head.n, memory_order_relaxed);
}
