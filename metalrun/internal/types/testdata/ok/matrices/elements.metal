#include <metal_stdlib>
using namespace metal;

kernel void elements(device float4x4* m [[buffer(0)]], device float* f [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    f[0] = m[0][1][2];
    m[0][i & 3][i & 1] = 4;
    m[1][2] = m[0][3];
    m[1][2].xy = float2(1, 2);
    m[1][0].w += 2;
    thread float4x4& r = *(thread float4x4*)nullptr;
    (void)r;
    float4x4 local = m[0];
    thread float4* column = &local[1];
    column->x = 3;
    f[1] = (*column)[0];
}
