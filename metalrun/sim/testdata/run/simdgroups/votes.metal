// all and any ask the active lanes; a vote's own all() asks for every lane of the simdgroup.
// dispatch threads=32 per=32
// want 0 int 1 0 1 0 1 1 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    bool every = simd_all(lane < 32), none = simd_any(lane > 31);
    bool full = simd_ballot(lane < 32).all();
    bool inner = false, vote = true, some = false;
    bool half_of_them = simd_all(lane < 16);
    if (lane < 16) {
        inner = simd_all(lane < 16);
        vote = simd_ballot(true).all();
        some = simd_ballot(lane == 3).any();
    }
    if (lane == 0) {
        a[0] = every;
        a[1] = none;
        a[2] = full;
        a[3] = half_of_them;
        a[4] = inner;
        a[5] = some;
        a[6] = vote;
    }
}
