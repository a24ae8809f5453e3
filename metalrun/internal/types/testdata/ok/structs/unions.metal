#include <metal_stdlib>
using namespace metal;

union Bits { float f; uint u; struct { ushort lo, hi; } parts; };
static_assert(sizeof(Bits) == 4, "Bits");
kernel void unions(device uint* out [[buffer(0)]], device const float* in [[buffer(1)]])
{
    Bits b;
    b.f = in[0];
    out[0] = b.u;
    out[1] = b.parts.hi;
    Bits c = {1.5f};
    out[2] = c.parts.lo;
    b = c;
    out[3] = b.u;
}
