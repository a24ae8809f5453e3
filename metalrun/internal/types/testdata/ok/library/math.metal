#include <metal_stdlib>
using namespace metal;

kernel void math(device float* f [[buffer(0)]], device half* h [[buffer(1)]], device float4* v [[buffer(2)]])
{
    f[0] = exp(f[1]) + log(f[2]) + pow(f[3], 2) + sqrt(f[4]) + rsqrt(f[5]) + sin(f[6]) + tanh(f[7]);
    f[1] = precise::exp(f[1]) + fast::log(f[2]) + metal::fast::sin(f[3]) + metal::precise::divide(f[4], f[5]);
    f[2] = fma(f[0], f[1], f[2]) + fmin(f[0], f[1]) + max(f[0], 1.0f) + clamp(f[3], 0.0f, 1.0f) + saturate(f[4]);
    f[3] = floor(f[0]) + ceil(f[1]) + trunc(f[2]) + rint(f[3]) + round(f[4]) + fract(f[5]) + abs(f[6]) + fabs(f[7]);
    h[0] = exp(h[1]) * max(h[2], h[3]);
    v[0] = mix(v[1], v[2], 0.5f) + clamp(v[3], 0.0f, 1.0f) + step(0.0f, v[4]);
    f[4] = isnan(f[0]) || isinf(f[1]) || !isfinite(f[2]) ? 1 : 0;
    f[5] = ldexp(f[0], 3) + ilogb(f[1]) + copysign(f[2], f[3]) + fmod(f[4], f[5]);
    f[6] = dot(v[0], v[1]) + length(v[2].xyz) + distance(v[0].xy, v[1].xy) + normalize(v[3]).x + cross(v[0].xyz, v[1].xyz).z;
}
