// Quads are four neighbouring threads.
// dispatch groups=1 per=8
// bind 0 uint 0 x8
// want 0 uint 0 1 2 3 10 11 12 13
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint i [[thread_index_in_threadgroup]], uint q [[quadgroup_index_in_threadgroup]],
              uint l [[thread_index_in_quadgroup]])
{
    a[i] = 10 * q + l;
}
