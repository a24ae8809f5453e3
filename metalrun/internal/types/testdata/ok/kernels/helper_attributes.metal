#include <metal_stdlib>
using namespace metal;

float helper(device const float* x, uint lane [[thread_index_in_simdgroup]]) { return x[lane]; }
kernel void attributes(device float* out [[buffer(0)]], uint lane [[thread_index_in_simdgroup]]) { out[lane] = helper(out, lane); }
