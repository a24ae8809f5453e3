#include <metal_stdlib>
using namespace metal;

float3x3 scaled(float3x3 m, float s) { return m * s; }
float trace(constant float3x3& m) { return m[0][0] + m[1][1] + m[2][2]; }
float trace(thread const float3x3& m) { return m[0][0] + m[1][1] + m[2][2]; }
kernel void pass(constant float3x3& m [[buffer(0)]], device float* out [[buffer(1)]])
{
    out[0] = trace(m);
    out[1] = trace(scaled(m, 2));
    float3x3 local = m;
    out[2] = trace(local);
}
