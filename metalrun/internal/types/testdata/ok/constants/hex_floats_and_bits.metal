#include <metal_stdlib>
using namespace metal;

constant uint quiet = as_type<uint>(NAN) & 0x7f800000u;
constant float tiny = 0x1p-126f;
constant float minus = -0.0f;
constant ushort bits = as_type<ushort>(1.5h);
static_assert(quiet == 0x7f800000u, "exponent of a NaN");
static_assert(as_type<uint>(minus) == 0x80000000u, "sign");
static_assert(bits == 0x3e00, "half");

kernel void bits_of(device float* out [[buffer(0)]])
{
    out[0] = tiny + minus + bits + quiet;
}
