#include <metal_stdlib>
using namespace metal;

// Kernels that do one thing as fast as the device can.

kernel void roof_copy(device const float4 *from [[buffer(0)]], device float4 *to [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  to[i] = from[i];
}

// 32 independent chains of multiply-adds in each thread, all of which count.
kernel void roof_fma(device float *out [[buffer(0)]], constant float2 &c [[buffer(1)]], constant uint &n [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  float x = float(i & 7);
  float4 a0 = float4(x, x + 1, x + 2, x + 3);
  float4 a1 = a0 + 4, a2 = a0 + 8, a3 = a0 + 12, a4 = a0 + 16, a5 = a0 + 20, a6 = a0 + 24, a7 = a0 + 28;
  float4 scale = float4(c.x), add = float4(c.y);
  for (uint k = 0; k < n; k++) {
    a0 = fma(a0, scale, add);
    a1 = fma(a1, scale, add);
    a2 = fma(a2, scale, add);
    a3 = fma(a3, scale, add);
    a4 = fma(a4, scale, add);
    a5 = fma(a5, scale, add);
    a6 = fma(a6, scale, add);
    a7 = fma(a7, scale, add);
  }
  float4 s = ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7));
  out[i] = (s.x + s.y) + (s.z + s.w);
}
