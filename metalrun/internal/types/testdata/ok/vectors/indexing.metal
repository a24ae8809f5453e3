#include <metal_stdlib>
using namespace metal;

kernel void index(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float4 v = out[i];
    v[i & 3] = v[0] + v[3u];
    out[i][2] = v[1];
    for (int k = 0; k < 4; k++) out[0][k] += v[k];
    uchar j = 2;
    v[j]--;
    out[1] = v;
}
