// The first active lane, among all and among those from 9 on.
// dispatch threads=32 per=32
// want 0 int 1 0 x8 2 0 x22
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    a[lane] = simd_is_first();
    if (lane >= 9 && simd_is_first()) {
        a[lane] += 2;
    }
}
