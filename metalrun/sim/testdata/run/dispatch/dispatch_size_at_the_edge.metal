// dispatch_threads_per_threadgroup keeps the size that was asked for.
// dispatch threads=5 per=4
// bind 0 uint 0 x5
// want 0 uint 4 x5
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint i [[thread_position_in_grid]], uint n [[dispatch_threads_per_threadgroup]])
{
    a[i] = n;
}
