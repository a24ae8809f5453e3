// Threads that do not fill the last threadgroup: it is smaller.
// dispatch threads=10 per=4
// bind 0 uint 0 x10
// want 0 uint 4 4 4 4 4 4 4 4 2 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint i [[thread_position_in_grid]], uint n [[threads_per_threadgroup]])
{
    a[i] = n;
}
