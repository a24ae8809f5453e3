// Four threads under the tree: 0 + 1 falls to 2^24, 2 + 3 give 2, the sum counts them.
// dispatch threads=4 per=4
// semantics tree
// want 0 float 16777218 x4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    a[lane] = simd_sum(lane == 0 ? 16777216.0f : 1.0f);
}
