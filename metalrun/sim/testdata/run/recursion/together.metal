// All threads call together, and meet at barriers and in simdgroup functions on the way: each level adds what the neighbour has.
// Thread t begins with t; the sums of 64 neighbours, twice as many each time, are 0 + 1 + … + 63 = 2016.
// dispatch threads=64 per=64
// bind 0 int 0 x64
// local 0 256
// want 0 int 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016 2016
#include <metal_stdlib>
using namespace metal;
static int total(threadgroup int *shared, uint t, int mine, uint step)
{
    if (step == 32)
        return mine;
    int both = mine + simd_shuffle_xor(mine, step);
    int all = total(shared, t, both, step * 2);
    if (step > 1)
        return all;
    shared[t] = all;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    return all + shared[t ^ 32];
}
kernel void together(device int *out [[buffer(0)]], threadgroup int *shared [[threadgroup(0)]], uint t [[thread_index_in_threadgroup]])
{
    out[t] = total(shared, t, int(t), 1);
}
