// The members of a union without name are names of the block: 1.5f is 0x3fc00000.
// want 0 uint 0x3fc00000 0x3fc0 7 9 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* out [[buffer(0)]])
{
    union {
        float number;
        uint bits;
        struct {
            ushort low, high;
        };
    };
    number = 1.5f;
    out[0] = bits;
    out[1] = high;
    bits = 3;
    {
        union {
            uint bits;
            int other;
        };
        other = 7;
        out[2] = bits;
        thread uint& alias = bits;
        alias += 2;
        out[3] = other;
    }
    out[4] = low;
}
