// One threadgroup writes a row of floats, another some of their bytes.
// dispatch groups=2 per=64
// bind 0 float 0 x64
// find 11:40 wrong race write and write; 10:24
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* out [[buffer(0)]], uint g [[threadgroup_position_in_grid]], uint i [[thread_index_in_threadgroup]])
{
    if (g == 0) out[i] = 1.5f;
    else ((device uchar*)out)[128 + i] = 3;
}
