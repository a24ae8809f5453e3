#include <metal_stdlib>
using namespace metal;

static inline float reduce(threadgroup float* s, uint tid, uint n)
{
    for (uint stride = n / 2; stride > 0; stride /= 2) {
        if (tid < stride) s[tid] += s[tid + stride];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    return s[0];
}
kernel void helpers(device float* out [[buffer(0)]], threadgroup float* scratch [[threadgroup(0)]],
                    uint tid [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]])
{
    scratch[tid] = out[tid];
    threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
    out[tid] = reduce(scratch, tid, n);
}
