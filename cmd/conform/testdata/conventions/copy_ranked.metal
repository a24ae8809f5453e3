#include <metal_stdlib>
using namespace metal;

// Shapes and strides of any rank, in elements, packed into lists.
kernel void copy_ranked(device const float *src [[buffer(0)]], device float *dst [[buffer(1)]], constant int *shape [[buffer(2)]],
                        constant long *src_strides [[buffer(3)]], constant long *dst_strides [[buffer(4)]], constant int &ndim [[buffer(5)]],
                        constant uint &total [[buffer(6)]], uint i [[thread_position_in_grid]]) {
    if (i >= total) return;
    long from = 0, to = 0;
    uint rest = i;
    for (int axis = ndim - 1; axis >= 0; axis--) {
        long at = rest % shape[axis];
        rest /= shape[axis];
        from += at * src_strides[axis];
        to += at * dst_strides[axis];
    }
    dst[FAULT == 2 ? i / 2 : to] = src[from];
}
