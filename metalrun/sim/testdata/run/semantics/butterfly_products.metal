// The butterfly multiplies lanes 0 and 2 first: infinity, and 2^-200 of lanes 1 and 3 is 0: NaN.
// dispatch threads=4 per=4
// semantics butterfly
// want 0 float nan x4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    a[lane] = simd_product(lane % 2 == 0 ? 0x1p100f : 0x1p-100f);
}
