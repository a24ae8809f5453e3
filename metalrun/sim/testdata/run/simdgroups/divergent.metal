// Each side of a branch sums its own lanes: 0+2+...+30 = 240, 1+3+...+31 = 256.
// dispatch threads=32 per=32
// want 0 int 240 256 16 16
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    int sum, count;
    if (lane % 2 == 0) {
        sum = simd_sum(int(lane));
        count = simd_sum(1);
    } else {
        sum = simd_sum(int(lane));
        count = popcount(uint(ulong(simd_active_threads_mask())));
    }
    if (lane < 2) {
        a[lane] = sum;
        a[2 + lane] = count;
    }
}
