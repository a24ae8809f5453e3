#include <metal_stdlib>
using namespace metal;

[[max_total_threads_per_threadgroup(256)]]
kernel void limited(device float* out [[buffer(30)]], threadgroup float* s [[threadgroup(30)]]) { s[0] = 1; out[0] = s[0]; }
[[max_total_threads_per_threadgroup(64)]] kernel void other(device float* out) { out[0] = 1; }
[[kernel, host_name("renamed")]] void original(device float* out) { out[0] = 2; }
