#include <metal_stdlib>
using namespace metal;

kernel void autos(device float* out [[buffer(0)]], constant float4& v [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    auto a = 1;
    auto b = 2.0f * a;
    const auto c = out[i];
    auto p = out + 1;
    device auto* q = out;
    device auto& r = out[3];
    constant auto& w = v;
    auto x = v.xy;
    auto h = half(1) + half(2);
    constexpr auto n = 3;
    float s[n];
    auto t = s;
    t[0] = b;
    r = c + *p + q[1] + w.z + x.y + h + s[0];
}
