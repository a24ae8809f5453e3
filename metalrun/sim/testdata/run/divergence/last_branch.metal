// A last branch that one thread takes: the first one, or another. What it takes with it was set by
// all.
// dispatch threads=12 per=4
// bind 0 int 0 x12
// want 0 int 6 1 2 3 4 22 6 7 8 9 38 11
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint id [[thread_position_in_grid]], uint i [[thread_index_in_threadgroup]],
              uint group [[threadgroup_position_in_grid]])
{
    threadgroup int x[4];
    x[i] = int(id);
    out[id] = int(id);
    int own[4];
    for (uint j = 0; j < 4; j++) {
        own[(j + i) % 4] = int(j);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i == group) {
        int sum = 0;
        for (uint j = 0; j < 4; j++) {
            sum += x[own[j]];
        }
        out[id] = sum;
    }
}
