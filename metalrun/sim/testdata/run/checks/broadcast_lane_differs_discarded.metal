// So do these, and nobody uses what they get.
// dispatch threads=32 per=32
// open
// want 0 int 0 x32
// bind 0 int 0 x32
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    const int x = simd_broadcast(int(i), ushort(i ^ 1));
    out[i] = x * 0;
}
