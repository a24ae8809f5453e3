// A tree of shuffles reads beyond the end, and lane 0 does not use it.
// dispatch threads=8 per=8
// open
// bind 0 int 0 x8
// want 0 int 28 0 0 0 0 0 0 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    int x = int(i);
    for (ushort d = 4; d > 0; d /= 2) {
        x += simd_shuffle_down(x, d);
    }
    if (i == 0) {
        out[i] = x;
    }
}
