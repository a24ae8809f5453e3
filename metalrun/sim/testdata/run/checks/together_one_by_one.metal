// Two stores of one value race. Threads that run one by one still do together what
// simdgroups do, of the last one only a part, and without those that have returned.
// dispatch threads=40 per=40
// bind 1 int 0
// want 0 int -1 529 529 529 -1 529 529 529 -1 529 529 529 -1 529 529 529 -1 529 529 529 -1 529 529 529 -1 529 529 529 -1 529 529 529 -1 297 297 297 -1 297 297 297
// find 29:13 undefined race write and write; 29:13
#include <metal_stdlib>
using namespace metal;

// Without multiples of 4 the numbers up to 31 add up to 384, and those from 33 to 39 to 216.
// With 8 for each of 16 and of 4 odd lanes, the first numbers 1 and 33, 3 threads of a quad,
// and 13, that is 529 and 297.
kernel void f(device int* out [[buffer(0)]], device int* flag [[buffer(1)]], uint i [[thread_index_in_threadgroup]],
              uint lane [[thread_index_in_simdgroup]])
{
    out[i] = -1;
    if (i % 4 == 0) {
        return;
    }
    int sum = simd_sum(int(i));
    int up = simd_prefix_inclusive_sum(int(i));
    ulong voted = ulong(simd_ballot(lane % 2 == 1));
    int last = simd_max(up);
    int first = simd_broadcast_first(int(i));
    int other = simd_shuffle_xor(int(lane), ushort(0));
    if (other == int(lane) && last == sum) {
        sum += int(popcount(uint(voted))) * 8 + first + int(quad_sum(1)) + 13;
    }
    flag[0] = 1;
    out[i] = sum;
}
