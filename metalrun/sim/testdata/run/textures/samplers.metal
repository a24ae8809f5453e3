// A row of the texels 0 10 20 30. A coordinate of 1.25 texels lies a quarter from the centre of the second, 0.75 texels
// behind that of the first: 0.25·0 + 0.75·10.
// texture 0 float 4,1 0 1 1 1 10 1 1 1 20 1 1 1 30 1 1 1
// want 0 float 7.5 10 7.5 0 30 30 0 20 0 1 7.5 7.5
#include <metal_stdlib>
using namespace metal;

constexpr sampler edges(coord::pixel, address::clamp_to_edge, filter::linear);
constant sampler near_edges(coord::pixel, filter::nearest, s_address::repeat, t_address::clamp_to_edge);

static float at(texture2d<float> t, sampler s, float x) { return t.sample(s, float2(x, 0.5f)).x; }

kernel void k(texture2d<float> t [[texture(0)]], device float *out [[buffer(0)]])
{
    constexpr sampler normal(filter::linear);
    constexpr sampler zero(coord::pixel, address::clamp_to_zero, filter::nearest);
    constexpr sampler mirror(coord::pixel, address::mirrored_repeat);
    constexpr sampler border(coord::pixel, address::clamp_to_border, border_color::opaque_white);
    out[0] = at(t, edges, 1.25f);
    out[1] = at(t, near_edges, 1.25f);
    out[2] = at(t, normal, 1.25f / 4);
    out[3] = at(t, edges, -3);
    out[4] = at(t, edges, 9);
    out[5] = at(t, near_edges, -0.5f);
    out[6] = at(t, zero, 4.5f);
    out[7] = at(t, mirror, 5.5f);
    out[8] = at(t, mirror, -0.5f);
    out[9] = at(t, border, 4.5f);
    out[10] = t.sample(edges, float2(1.25f, 0.5f), level(0)).x;
    out[11] = t.sample(edges, float2(0.25f, 0.5f), int2(1, 0)).x;
}
