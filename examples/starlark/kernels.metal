#include <metal_stdlib>
using namespace metal;

struct Norm {
    uint  rows, n;
    float eps;
};

// Each row over its root mean square, by 128 threads.
kernel void my_norm(
    device const half*  x [[buffer(0)]],
    device const float* w [[buffer(1)]],
    device half*        y [[buffer(2)]],
    constant Norm&      d [[buffer(3)]],
    uint row [[threadgroup_position_in_grid]], uint tid [[thread_position_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]])
{
    threadgroup float part[4];
    float sum = 0.0f;
    for (uint i = tid; i < d.n; i += 128) {
        float v = x[row * d.n + i];
        sum += v * v;
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        part[simdgroup] = sum;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum = part[0] + part[1] + part[2] + part[3];
    float scale = rsqrt(sum / d.n + d.eps);
    for (uint i = tid; i < d.n; i += 128) {
        y[row * d.n + i] = half(float(x[row * d.n + i]) * scale * w[i]);
    }
}

// The delta rule over tokens, a thread for each channel of values.
kernel void my_delta(
    device const float* q [[buffer(0)]],
    device const float* k [[buffer(1)]],
    device const float* v [[buffer(2)]],
    device const float* beta [[buffer(3)]],
    device float*       out [[buffer(4)]],
    constant uint&      tokens [[buffer(5)]],
    constant uint&      channels [[buffer(6)]],
    uint column [[thread_position_in_threadgroup]])
{
    float state[128];
    for (uint i = 0; i < channels; i++) {
        state[i] = 0.0f;
    }
    for (uint t = 0; t < tokens; t++) {
        device const float* key = k + t * channels;
        float read = 0.0f;
        for (uint i = 0; i < channels; i++) {
            read += state[i] * key[i];
        }
        float update = beta[t] * (v[t * channels + column] - read), sum = 0.0f;
        for (uint i = 0; i < channels; i++) {
            state[i] += update * key[i];
            sum += state[i] * q[t * channels + i];
        }
        out[t * channels + column] = sum;
    }
}

// A product of a vector with rows of bytes, which have a scale for every 32.
kernel void my_q8(
    device const uchar* w [[buffer(0)]],
    device const float* scale [[buffer(1)]],
    device const float* x [[buffer(2)]],
    device float*       y [[buffer(3)]],
    constant uint&      n [[buffer(4)]],
    uint row [[thread_position_in_grid]])
{
    float sum = 0.0f;
    for (uint i = 0; i < n; i++) {
        sum += (float(w[row * n + i]) - 128.0f) * scale[row * (n / 32) + i / 32] * x[i];
    }
    y[row] = sum;
}
