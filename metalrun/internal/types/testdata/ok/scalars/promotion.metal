#include <metal_stdlib>
using namespace metal;

// Integers narrower than int are promoted before arithmetic.
kernel void promote(device int* out [[buffer(0)]], device const uchar* in [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    uchar a = in[i];
    short b = -3;
    out[i] = a + b;
    out[i + 1] = ~a;
    out[i + 2] = -a;
    out[i + 3] = a << b;
    bool t = true;
    out[i + 4] = t + t;
    a += 300;
    a <<= 1;
    b *= 2.5f;
}
