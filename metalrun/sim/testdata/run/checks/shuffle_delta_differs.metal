// The delta of a shuffle has to be the same in all threads.
// dispatch threads=32 per=32
// bind 0 int 0 x32
// find 10:14 wrong undefined not the same in all threads
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    out[i] = simd_shuffle_down(int(i), ushort(i % 2));
}
