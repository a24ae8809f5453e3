#include <metal_stdlib>
using namespace metal;

struct Config { int rows; float scale; constexpr int area() const { return rows * rows; } };
constant constexpr float weights[3] = {1.0f / 3, 2.0f / 3, 1};
constant constexpr Config config = {4, 0.5f};
constant int rows = config.rows;
constant float4 axis = float4(1, 0, 0, 1) * 2;
constant half hs[2][2] = {{1, 2}, {3, 4}};
constant float3x3 identity = float3x3(1);
constant long big = 1l << 40;
constant uchar wrapped = uchar(255 + 2);
constant float root = sqrt(2.0f);
constant bool yes = 3 > 2;
kernel void data(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    out[0] = weights[i] + config.scale + rows + axis.x + hs[1][0] + identity[1][1] + big + wrapped + root + yes;
    constexpr Config local = {3, 2};
    float room[local.rows];
    room[0] = local.scale;
    out[1] = room[0];
    constexpr int lut[4] = {1, 2, 4, 8};
    out[2] = lut[i & 3];
    int area[Config{2, 1}.area()];
    area[0] = 1;
    out[3] = area[0];
}
