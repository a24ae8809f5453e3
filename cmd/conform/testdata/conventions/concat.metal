#include <metal_stdlib>
using namespace metal;

// Two sources one behind the other along an axis; what belongs to the second is told by an offset.
struct Concat { long ne_a, ne_b, rows; ulong nb_a, nb_b, nb_dst; };
kernel void concat(constant Concat &p [[buffer(0)]], device const char *a [[buffer(1)]], device const char *b [[buffer(2)]], device char *dst [[buffer(3)]],
                   uint row [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint threads [[threads_per_threadgroup]]) {
    device float *to = (device float *)(dst + row * p.nb_dst);
    for (long i = t; i < p.ne_a; i += threads) to[i] = ((device const float *)(a + row * p.nb_a))[i];
    for (long i = t; i < p.ne_b; i += threads) to[(FAULT == 2 ? p.ne_a - 1 : p.ne_a) + i] = ((device const float *)(b + row * p.nb_b))[i];
}
