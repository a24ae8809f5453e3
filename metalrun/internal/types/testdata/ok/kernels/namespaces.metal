#include <metal_stdlib>
using namespace metal;

namespace a { namespace b { kernel void k(device int* out [[buffer(0)]]) { out[0] = 1; } } }
kernel void k(device int* out [[buffer(0)]]) { out[0] = 2; }
template <typename T> [[kernel]] void t(device T* out) { out[0] = T(3); }
template [[host_name("t_float")]] [[kernel]] void t<float>(device float*);
template [[host_name("t_int")]] [[kernel]] void t(device int* out);
