#include <metal_stdlib>
using namespace metal;

kernel void inputs(device uint* out [[buffer(0)]],
    uint3 a [[thread_position_in_grid]], uint3 b [[thread_position_in_threadgroup]], uint3 c [[threadgroup_position_in_grid]],
    uint3 d [[threads_per_grid]], uint3 e [[threads_per_threadgroup]], uint3 f [[threadgroups_per_grid]], uint3 g [[dispatch_threads_per_threadgroup]],
    uint h [[thread_index_in_threadgroup]], uint i [[thread_index_in_simdgroup]], uint j [[thread_index_in_quadgroup]],
    uint k [[simdgroup_index_in_threadgroup]], uint l [[quadgroup_index_in_threadgroup]], uint m [[simdgroups_per_threadgroup]],
    uint n [[quadgroups_per_threadgroup]], uint o [[threads_per_simdgroup]], ushort p [[thread_execution_width]],
    ushort q [[dispatch_simdgroups_per_threadgroup]], uint r [[dispatch_quadgroups_per_threadgroup]])
{
    out[0] = a.x + b.y + c.z + d.x + e.y + f.z + g.x + h + i + j + k + l + m + n + o + p + q + r;
}
