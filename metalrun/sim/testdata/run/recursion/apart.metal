// A barrier that only those threads reach that are as deep: the others are not there.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// fault 9:27 threadgroup_barrier reached by 3 of 4 live threads
#include <metal_stdlib>
using namespace metal;
static int meet(int n)
{
    if (n == 0) return 1; threadgroup_barrier(mem_flags::mem_none);
    return meet(n - 1) + 1;
}
kernel void apart(device int *out [[buffer(0)]], uint t [[thread_position_in_grid]]) { out[t] = 0 + meet(int(t)); }
