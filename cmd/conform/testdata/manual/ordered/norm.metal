#include <metal_stdlib>
using namespace metal;

// The sum of squares, by one thread in the order of memory.
kernel void rms_norm_sum_sq(device const float *x [[buffer(0)]], device float *sum_sq [[buffer(1)]],
                            constant uint &dim [[buffer(2)]], uint lane [[thread_index_in_threadgroup]]) {
  if (lane != 0) { return; }
  float sum = 0;
  for (uint i = 0; i < dim; i++) { sum += x[i] * x[i]; }
  *sum_sq = sum;
}
