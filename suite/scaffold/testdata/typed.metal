#include <metal_stdlib>
using namespace metal;

// Bytes that the kernel takes for float4.
kernel void scale_rows(device const char *src [[buffer(0)]], device char *dst [[buffer(1)]],
                       constant uint &n [[buffer(2)]], uint row [[threadgroup_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]], uint threads [[threads_per_threadgroup]])
{
    device const float4 *x = (device const float4 *)src + row * n / 4;
    device float4 *y = (device float4 *)dst + row * n / 4;
    for (uint i = t; i < n / 4; i += threads) {
        y[i] = x[i] * 2;
    }
}

struct Control { uint abort; };

// A switch that ends it, and one that chooses.
kernel void guarded(device const float *a [[buffer(0)]], device float *c [[buffer(1)]], constant uint &n [[buffer(2)]],
                    device const Control *control [[buffer(3)]], constant uchar &mode [[buffer(4)]],
                    uint t [[thread_position_in_grid]])
{
    if (control->abort != 0) {
        return;
    }
    if (t < n) {
        c[t] = mode == 3 ? a[t] : mode == 5 ? -a[t] : 0;
    }
}
