#include <metal_stdlib>
using namespace metal;

static_assert(sizeof(float3x3) == 48, "float3x3");
static_assert(sizeof(half3x3) == 24, "half3x3");
static_assert(sizeof(float2x2) == 16 && alignof(float2x2) == 8, "float2x2");
static_assert(sizeof(float4x3) == 64, "float4x3");
static_assert(sizeof(half2x4) == 16 && alignof(half2x4) == 8, "half2x4");
kernel void sizes(device ulong* out [[buffer(0)]]) { out[0] = sizeof(float3x4); }
