// The upper half of the simdgroup has values that the lower half cannot read while it is not active.
// dispatch threads=32 per=32
// bind 0 int 0 x64
// find 12:13 wrong inactive lane that is not active
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    int x = int(i);
    if (i < 16) {
        x = simd_shuffle_xor(x, 16);
    }
    out[i] = x;
}
