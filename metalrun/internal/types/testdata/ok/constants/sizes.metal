#include <metal_stdlib>
using namespace metal;

struct S { char c; long l; };
static_assert(sizeof(bool) == 1 && sizeof(char) == 1 && sizeof(half) == 2 && sizeof(bfloat) == 2, "narrow");
static_assert(sizeof(long) == 8 && sizeof(size_t) == 8 && sizeof(device int*) == 8, "wide");
static_assert(sizeof(int3) == 16 && sizeof(char3) == 4 && sizeof(half3) == 8 && sizeof(packed_char3) == 3, "threes");
static_assert(alignof(float2) == 8 && alignof(S) == 8 && sizeof(S) == 16, "alignment");
static_assert(sizeof(float[3]) == 12 && sizeof(S[2]) == 32, "arrays");
kernel void sizes(device ulong* out [[buffer(0)]])
{
    float a[6];
    out[0] = sizeof(a) / sizeof(float);
    out[1] = sizeof(out[0]) + sizeof 1.0h;
    out[2] = alignof(float4);
    a[0] = 0;
}
