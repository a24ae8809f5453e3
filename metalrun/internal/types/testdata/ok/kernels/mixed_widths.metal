#include <metal_stdlib>
using namespace metal;

// ushort may stand beside uint where Metal does not ask for one type.
kernel void mixed(device float* out [[buffer(0)]], uint2 gid [[thread_position_in_grid]], uint2 size [[threads_per_grid]],
    ushort2 lid [[thread_position_in_threadgroup]], ushort2 tpg [[threads_per_threadgroup]], uint2 tg [[threadgroups_per_grid]],
    ushort lane [[thread_index_in_simdgroup]], ushort index [[thread_index_in_threadgroup]])
{
    out[gid.y * size.x + gid.x] = lid.x + tpg.y * lane + index + tg.x;
}
