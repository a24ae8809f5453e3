// The lane varies in the source and is the same in all threads of each simdgroup.
// dispatch threads=32 per=32
// want 0 int 3 x32
// bind 0 int 0 x32
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    out[i] = simd_broadcast(int(i), ushort(i / 64 + 3));
}
