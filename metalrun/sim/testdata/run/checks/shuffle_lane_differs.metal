// A shuffle may ask for another lane in each thread.
// dispatch threads=4 per=4
// want 0 int 0 0 2 2
// bind 0 int 0 x4
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    out[i] = simd_shuffle(int(i), ushort(i / 2 * 2));
}
