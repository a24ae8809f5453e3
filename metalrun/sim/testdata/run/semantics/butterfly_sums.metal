// Lanes at distance 16 meet first: 1 + 17 give 2, which counts; 2 and 3 each meet 2^24 or each other too late.
// dispatch threads=32 per=32
// semantics butterfly
// want 0 float 16777218 16777216
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    float big = lane == 0 ? 16777216.0f : 0.0f;
    float x = simd_sum(lane == 1 || lane == 17 ? 1.0f : big);
    float y = simd_sum(lane == 2 || lane == 3 ? 1.0f : big);
    if (lane == 0) {
        a[0] = x;
        a[1] = y;
    }
}
