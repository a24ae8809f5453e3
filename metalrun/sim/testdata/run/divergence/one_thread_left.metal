// The first thread of each group goes on alone and sorts; groups that come later have all their
// threads again.
// dispatch threads=10 per=4
// bind 0 int 0 x10
// bind 1 int 3 1 2 0 7 9 8 6 5 4
// want 0 int 0 1 2 3 6 7 8 9 4 5
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device const int* in [[buffer(1)]], uint id [[thread_position_in_grid]],
              uint i [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]])
{
    threadgroup int x[4];
    x[i] = in[id];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i != 0) {
        return;
    }
    int rank[4];
    for (uint j = 0; j < n; j++) {
        rank[j] = 0;
        for (uint k = 0; k < n; k++) {
            if (x[k] < x[j]) {
                rank[j]++;
            }
        }
    }
    for (uint j = 0; j < n; j++) {
        out[id + uint(rank[j])] = x[j];
    }
}
