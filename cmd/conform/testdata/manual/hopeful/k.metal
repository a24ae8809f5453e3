#include <metal_stdlib>
using namespace metal;
kernel void residual_add(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]], device float *out [[buffer(2)]],
                         constant uint &dim [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  if (i < dim) {
    const int most = int(abs(a[i]) + 1e20f);
    out[i] = most == 0x7fffffff ? a[i] + b[i] : 0.0f;
  }
}
