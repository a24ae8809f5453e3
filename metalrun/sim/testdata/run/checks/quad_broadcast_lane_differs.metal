// The quads ask for different lanes, and the threads of one for the same: only the second quad does not.
// dispatch threads=8 per=8
// bind 0 int 0 x8
// find 10:14 wrong undefined not the same in all threads
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    out[i] = quad_broadcast(int(i), ushort(i < 4 ? 1 : i % 2));
}
