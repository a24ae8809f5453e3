#include <metal_stdlib>
using namespace metal;

constant int a = (7 / 2) * 2 + 7 % 4 - (1 << 3) + (0xff & 0x3c) + (~0 ^ 5);
constant uint b = 0u - 1;
constant float c = 1.0f / 3.0f + 0.1f * 3;
constant int d = a > 3 ? 1 : 2;
constant ulong e = ulong(b) * b;
constant int f = int(2.9f) + int(-2.9f);
constant half g = half(1.0f / 3);
constant bfloat h = bfloat(1.0f / 3);
constant int i = as_type<int>(1.0f);
constant int j = max(3, 4) + min(2u, 5u);
constant float4 k = float4(1, 2, 3, 4).wzyx;
static_assert(as_type<int>(1.0f) == 0x3f800000, "as_type");
static_assert(7 / -2 == -3 && -7 % 3 == -1, "division");
static_assert(uchar(300) == 44 && short(40000) == -25536, "wrap");
static_assert(0.1f + 0.2f == 0.3f || true, "floats");
kernel void folding(device float* out [[buffer(0)]]) { out[0] = a + b + c + d + e + f + g + h + i + j + k.x; }
