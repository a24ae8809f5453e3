// What one kernel writes to a texture the next one reads. A read beyond the edges is zero, a write there does nothing.
// kernel invert show
// dispatch threads=3,2 per=3,2
// texture 0 half 2,2 0 0.5 1 1 0.25 0.25 0.25 0.5 1 1 1 1 0 0 0 0
// texture 1 half 2,2 7 x16
// bind 0 float 9 x30
// want 0 float 1 0.5 0 1 0.75 0.75 0.75 0.5 0 0 0 0 0 0 0 1 1 1 1 0 0 0 0 0 2 2 1 0 1 2
#include <metal_stdlib>
using namespace metal;

kernel void invert(texture2d<half, access::read> from [[texture(0)]], texture2d<half, access::write> to [[texture(1)]],
                   ushort2 at [[thread_position_in_grid]])
{
    const half4 c = from.read(at);
    to.write(half4(1.0h - c.rgb, c.a), at);
}

struct Sizes { float width, height, depth, layers, levels; };

static Sizes sizes_of(texture2d<half, access::read> t)
{
    return {float(t.get_width()), float(t.get_height()), float(t.get_num_mip_levels()), 0, 1};
}

kernel void show(device float *out [[buffer(0)]], texture2d<half, access::read> t [[texture(1)]], uint2 at [[thread_position_in_grid]])
{
    const float4 c(t.read(at));
    const uint i = at.y * 3 + at.x;
    for (int k = 0; k < 4; ++k)
        out[i * 4 + k] = c[k];
    if (i == 0) {
        const Sizes s = sizes_of(t);
        out[24] = s.width;
        out[25] = s.height;
        out[26] = s.depth;
        out[27] = s.layers;
        out[28] = s.levels;
        out[29] = sizeof(s) / 10;
    }
}
