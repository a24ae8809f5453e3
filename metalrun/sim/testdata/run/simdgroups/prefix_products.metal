// Lanes 0 to 3 bring -2, the others 1; exclusive products begin with 1.
// dispatch threads=6 per=6
// want 0 float -2 4 -8 16 16 16
// want 1 float 1 -2 4 -8 16 16
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device float* b [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]])
{
    float x = lane < 4 ? -2 : 1;
    a[lane] = simd_prefix_inclusive_product(x);
    b[lane] = simd_prefix_exclusive_product(x);
}
