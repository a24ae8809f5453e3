// A tile is read by rows and written by columns.
// dispatch threads=3,2 per=3,2
// bind 1 int 1 2 3 4 5 6
// want 0 int 1 4 2 5 3 6
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]], uint2 t [[thread_position_in_threadgroup]])
{
    threadgroup int tile[2][3];
    tile[t.y][t.x] = x[t.y * 3 + t.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint k = t.y * 3 + t.x;
    a[k] = tile[k % 2][k / 2];
}
