#include <metal_stdlib>
using namespace metal;

// Extents and strides of four axes, in bytes.
struct Permute { long n[4]; ulong src_nb[4]; ulong dst_nb[4]; };
kernel void permute_bytes(constant Permute &p [[buffer(0)]], device const char *src [[buffer(1)]], device char *dst [[buffer(2)]],
                          uint3 group [[threadgroup_position_in_grid]], ushort3 t [[thread_position_in_threadgroup]], ushort3 threads [[threads_per_threadgroup]]) {
    const long i3 = group.z, i2 = group.y, i1 = group.x;
    for (long i0 = t.x; i0 < p.n[0]; i0 += threads.x) {
        device const float *from = (device const float *)(src + i3 * p.src_nb[3] + i2 * p.src_nb[2] + i1 * p.src_nb[1] + i0 * p.src_nb[0]);
        device float *to = (device float *)(dst + i3 * p.dst_nb[3] + i2 * p.dst_nb[2] + (FAULT == 2 ? i1 / 2 : i1) * p.dst_nb[1] + i0 * p.dst_nb[0]);
        *to = *from + i1;
    }
}
