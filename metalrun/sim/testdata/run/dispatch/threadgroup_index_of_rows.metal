// The index in a threadgroup of several rows counts x first.
// dispatch groups=1 per=3,2
// bind 0 uint 0 x6
// want 0 uint 0 1 2 10 11 12
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint2 p [[thread_position_in_threadgroup]], uint i [[thread_index_in_threadgroup]])
{
    a[i] = p.x + 10 * p.y;
}
