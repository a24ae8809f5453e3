// Each threadgroup has its own copy: sums of 0..3, 4..7, 8..9.
// dispatch threads=10 per=4
// want 0 int 6 22 17
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]], uint n [[threads_per_threadgroup]])
{
    threadgroup int v[4];
    v[t] = i;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 0) {
        int sum = 0;
        for (uint k = 0; k < n; k++) {
            sum += v[k];
        }
        a[g] = sum;
    }
}
