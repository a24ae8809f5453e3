// and keeps the common bits, or collects one bit of each lane, 1^2^...^32 is 32.
// dispatch threads=32 per=32
// want 0 uint 0xf00 0xffffffff 32
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    uint x = lane;
    uint common = simd_and(0xf00 | x), all = simd_or(1u << x), odd = simd_xor(x + 1);
    if (simd_is_first()) {
        a[0] = common;
        a[1] = all;
        a[2] = odd;
    }
}
