#include <metal_stdlib>
using namespace metal;

struct Particle { packed_float3 position; float mass; };
kernel void packed(device Particle* p [[buffer(0)]], device packed_half4* h [[buffer(1)]], device packed_uchar4* u [[buffer(2)]], device float3* out [[buffer(3)]])
{
    float3 x = p[0].position;
    p[1].position = x * 2.0f;
    p[2].position = p[0].position + p[1].position;
    p[3].position.xy = x.yx;
    p[4].position[2] = p[0].position.z;
    p[5].position += 1.0f;
    h[0] = packed_half4(1.0h, 2.0h, 3.0h, 4.0h);
    out[0] = float3(p[0].position);
    out[1] = p[1].position * p[0].mass;
    out[2] = packed_float3(x);
    uchar4 q = u[0];
    u[1] = q + u[0];
    static_assert(sizeof(Particle) == 16, "packed");
    static_assert(sizeof(float3) == 16 && alignof(packed_float3) == 4, "layout");
    out[3] = -p[0].position;
}
