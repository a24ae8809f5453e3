#include <metal_stdlib>
using namespace metal;
kernel void rms_norm_sum_sq(device const float *x [[buffer(0)]], device float *sum_sq [[buffer(1)]],
                            constant uint &dim [[buffer(2)]], uint i [[thread_index_in_threadgroup]],
                            uint simdgroup [[simdgroup_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float partial[8];
  float sum = 0.0f;
  for (uint e = i; e < dim; e += 256) {
    sum += x[e] * x[e];
  }
  sum = simd_sum(sum);
  if (lane == 0) {
    partial[simdgroup] = sum;
  }
  threadgroup_barrier(mem_flags::mem_none);
  if (i == 0) {
    float all = 0.0f;
    for (uint s = 0; s < 8; s++) {
      all += partial[s];
    }
    sum_sq[0] = all;
  }
}
