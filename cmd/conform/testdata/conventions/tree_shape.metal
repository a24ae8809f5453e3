#include <metal_stdlib>
using namespace metal;

// Coordinates by a function over packed shapes, several elements to a thread.
template <typename T> T where_is(uint3 at, constant const int *shape, constant const T *strides, int ndim) {
    T loc = T(at.x) * strides[ndim - 1] + T(at.y) * strides[ndim - 2];
    for (int d = ndim - 3; d >= 0; d--) { loc += T(at.z % shape[d]) * strides[d]; at.z /= shape[d]; }
    return loc;
}
kernel void tree_shape(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]], device float *out [[buffer(2)]], constant const int *shape [[buffer(3)]],
                       constant const long *a_strides [[buffer(4)]], constant const long *b_strides [[buffer(5)]], constant const int &ndim [[buffer(6)]],
                       uint3 at [[thread_position_in_grid]], uint3 size [[threads_per_grid]]) {
    const ulong to = at.x + ulong(size.x) * (at.y + ulong(size.y) * (FAULT == 2 ? 0 : at.z));
    out[to] = a[where_is<long>(at, shape, a_strides, ndim)] + b[where_is<long>(at, shape, b_strides, ndim)];
}
