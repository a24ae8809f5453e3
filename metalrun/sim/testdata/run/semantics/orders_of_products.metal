// 2^100 * 2^100 overflows; ascending order meets 2^-100 in time.
// dispatch threads=4 per=4
// want 0 float 1 x4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    a[lane] = simd_product(lane % 2 == 0 ? 0x1p100f : 0x1p-100f);
}
