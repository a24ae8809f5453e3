// Sums of simdgroups meet in threadgroup memory: lanes 0..31 give 496, 32..63 give 1520, 64..79 give 1144.
// dispatch threads=80 per=80
// want 0 int 496 1520 1144 3160
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint t [[thread_index_in_threadgroup]], uint s [[simdgroup_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]],
              uint n [[simdgroups_per_threadgroup]])
{
    threadgroup int v[4];
    int sum = simd_sum(int(t));
    if (lane == 0) {
        v[s] = sum;
        a[s] = sum;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 79) {
        int total = 0;
        for (uint k = 0; k < n; k++) {
            total += v[k];
        }
        a[3] = total;
    }
}
