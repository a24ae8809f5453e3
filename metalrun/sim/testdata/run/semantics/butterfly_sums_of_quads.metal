// In a quad distance 2 comes first: 1 + 3 give 2; the tree loses 1 in 2^24 and then a lone 1.
// dispatch threads=4 per=4
// semantics butterfly
// want 0 float 16777218 x4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    a[lane] = quad_sum(lane == 0 ? 16777216.0f : lane == 2 ? 0.0f : 1.0f);
}
