// Textures of other shapes: layers, depth, arrays of textures, a gather and an atomic function.
// texture 0 int 2,1,1,2 1 0 0 0 2 0 0 0 3 0 0 0 4 0 0 0
// texture 1 uint 1,1,2 5 0 0 0 6 0 0 0
// texture 2 float 2,2 1 0 0 0 2 0 0 0 3 0 0 0 4 0 0 0
// texture 3 float 1,1 8 9 10 11
// texture 4 float 1,1 12 13 14 15
// want 0 float 2 3 2 6 2 3 4 2 1 8 13 5 9
#include <metal_stdlib>
using namespace metal;

kernel void k(texture2d_array<int, access::read> layers [[texture(0)]], texture3d<uint, access::read_write> solid [[texture(1)]],
              texture2d<float> plane [[texture(2)]], array<texture2d<float, access::read>, 2> list [[texture(3)]],
              device float *out [[buffer(0)]])
{
    constexpr sampler s(coord::pixel, filter::linear);
    out[0] = layers.read(uint2(1, 0), 0).x;
    out[1] = layers.read(uint2(0, 0), 1).x;
    out[2] = layers.get_array_size();
    out[3] = solid.read(uint3(0, 0, 1)).x;
    out[4] = solid.get_depth();
    const float4 around = plane.gather(s, float2(1, 1));
    out[5] = around.x;
    out[6] = around.y;
    out[7] = around.z;
    out[8] = around.w;
    out[9] = list[0].read(uint2(0, 0)).x;
    out[10] = list[1].read(uint2(0, 0)).y;
    out[11] = solid.atomic_fetch_add(uint3(0, 0, 0), 4u).x;
    out[12] = solid.read(uint3(0, 0, 0)).x;
}
