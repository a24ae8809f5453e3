// 2^24 + 1 is a tie that falls back to 2^24: in ascending order ones are lost wherever they stand.
// dispatch threads=32 per=32
// want 0 float 16777216 16777216
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
