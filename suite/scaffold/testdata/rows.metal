#include <metal_stdlib>
using namespace metal;

// A state is one shorter than the window.
kernel void causal(device const float* x [[buffer(0)]], device const float* w [[buffer(1)]], device float* state [[buffer(2)]], device float* y [[buffer(3)]],
    constant uint& channels [[buffer(4)]], constant uint& length [[buffer(5)]], constant uint& width [[buffer(6)]], uint c [[thread_position_in_grid]])
{
    if (c >= channels) {
        return;
    }
    for (uint t = 0; t < length; t++) {
        float sum = 0;
        for (uint k = 0; k < width; k++) {
            int at = int(t + k) - int(width - 1);
            sum += (at < 0 ? state[c * (width - 1) + t + k] : x[at * channels + c]) * w[c * width + k];
        }
        y[t * channels + c] = sum;
    }
}

struct Shape { uint rows; uint cols; };

// Rows are whole groups of codes, though the loop would end anywhere.
kernel void scaled(device const uchar* w [[buffer(0)]], device const half* scales [[buffer(1)]], device const half* x [[buffer(2)]], device half* y [[buffer(3)]],
    constant Shape& of [[buffer(4)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    if (row >= of.rows) {
        return;
    }
    float sum = 0;
    for (uint i = lane; i < of.cols; i += 32) {
        uchar both = w[row * (of.cols / 2) + i / 2];
        sum += float(i % 2 == 0 ? both & 15 : both >> 4) * float(scales[row * (of.cols / 32) + i / 32]) * float(x[i]);
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        y[row] = half(sum);
    }
}

// Simdgroups share a row: all of them have a part only if it is long.
kernel void largest(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& cols [[buffer(2)]], threadgroup float* parts [[threadgroup(0)]],
    uint row [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint all [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]], uint part [[simdgroup_index_in_threadgroup]])
{
    float most = -MAXFLOAT;
    for (uint i = t; i < cols; i += all) {
        most = max(most, x[row * cols + i]);
    }
    most = simd_max(most);
    if (lane == 0) {
        parts[part] = most;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 0) {
        for (uint i = 0; i < (all + 31) / 32; i++) {
            most = max(most, parts[i]);
        }
        y[row] = most;
    }
}

// A window of three elements over what lies beside each.
kernel void filtered(device const float *x [[buffer(0)]], device const float *w [[buffer(1)]], device float *y [[buffer(2)]], constant uint &cin [[buffer(3)]], constant uint &cout [[buffer(4)]], constant uint &t [[buffer(5)]],
    uint2 at [[thread_position_in_grid]]) {
    if (at.x >= t || at.y >= cout) {
        return;
    }
    float sum = 0.0f;
    for (uint c = 0; c < cin; c++) {
        for (uint j = 0; j < 3; j++) {
            if (at.x + j >= 1 && at.x + j < t + 1) {
                sum += x[c * t + at.x + j - 1] * w[(at.y * cin + c) * 3 + j];
            }
        }
    }
    y[at.y * t + at.x] = sum;
}

// Moves parameters towards others.
kernel void stepped(device float *p [[buffer(0)]], device const float *to [[buffer(1)]], constant uint &n [[buffer(2)]], constant float &rate [[buffer(3)]], uint i [[thread_position_in_grid]]) {
    if (i < n) {
        p[i] = (1.0f - rate) * p[i] + rate * to[i];
    }
}
