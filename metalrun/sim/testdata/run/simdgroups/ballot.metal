// One bit of each lane whose condition holds; lanes that are not there give 0.
// dispatch threads=52 per=52
// want 0 uint 0x11111111 0x00011111 0x0000fff0
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]])
{
    uint bits = uint(ulong(simd_ballot(lane % 4 == 0)));
    if (lane == 0) {
        a[s] = bits;
    }
    if (s == 0 && lane >= 4) {
        uint some = uint(ulong(simd_ballot(lane < 16)));
        if (lane == 4) {
            a[2] = some;
        }
    }
}
