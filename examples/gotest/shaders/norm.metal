#include <metal_stdlib>
using namespace metal;

struct NormArgs {
    uint n;
    float eps;
};

// y = (x + residual) / rms · w, and the sum as the next layer's residual. One threadgroup of 64 threads for each row.
kernel void add_norm(device const half *x [[buffer(0)]], device const half *residual [[buffer(1)]],
                     device const float *w [[buffer(2)]], device half *y [[buffer(3)]],
                     device half *sum [[buffer(4)]], constant NormArgs &args [[buffer(5)]],
                     uint row [[threadgroup_position_in_grid]], uint tid [[thread_position_in_threadgroup]],
                     uint lane [[thread_index_in_simdgroup]], uint simd [[simdgroup_index_in_threadgroup]])
{
    threadgroup float partial[2];
    const uint first = row * args.n;
    float squares = 0;
    for (uint i = tid; i < args.n; i += 64) {
        const float v = float(x[first + i]) + float(residual[first + i]);
        squares += v * v;
        sum[first + i] = half(v);
    }
    squares = simd_sum(squares);
    if (lane == 0) {
        partial[simd] = squares;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const float scale = 1.0f / sqrt((partial[0] + partial[1]) / args.n + args.eps);
    for (uint i = tid; i < args.n; i += 64) {
        const float v = float(x[first + i]) + float(residual[first + i]);
        y[first + i] = half(v * scale * w[i]);
    }
}
