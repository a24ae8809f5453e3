// Threadgroups write rows side by side, half of which are the next threadgroup's too.
// dispatch groups=3 per=64
// bind 0 int 0 x128
// find 10:19 wrong race write and write; 10:19
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint g [[threadgroup_position_in_grid]], uint i [[thread_index_in_threadgroup]])
{
    out[32*g + i] = int(g);
}
