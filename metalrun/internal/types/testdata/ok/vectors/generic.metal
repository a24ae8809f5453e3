#include <metal_stdlib>
using namespace metal;

template <typename T, int N>
vec<T, N> twice(vec<T, N> v) { return v + v; }
kernel void generic(device float3* out [[buffer(0)]], device vec<int, 2>* n [[buffer(1)]], device packed_vec<float, 3>* p [[buffer(2)]])
{
    out[0] = twice(out[1]);
    n[0] = twice(n[1]);
    p[0] = twice(vec<float, 3>(p[1]));
    vec<uint, 4> u = vec<uint, 4>(1, 2, 3, 4);
    n[1] = vec<int, 2>(u.xy);
}
