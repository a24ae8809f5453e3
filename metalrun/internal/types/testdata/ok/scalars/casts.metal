#include <metal_stdlib>
using namespace metal;

kernel void casts(device int* out [[buffer(0)]], device const float* in [[buffer(1)]])
{
    out[0] = int(in[0]);
    out[1] = (int)in[1];
    out[2] = static_cast<int>(in[2]);
    out[3] = uchar(300.0f);
    out[4] = as_type<int>(in[3]);
    out[5] = as_type<ushort>(half(in[4]));
    out[6] = bool(in[5]);
    out[7] = int{3};
    out[8] = int();
    out[9] = (int)(uchar)out[8];
    out[10] = (unsigned char)out[1] + (unsigned)2;
    (void)out;
    out[11] = ulong(out[9]) > 3;
}
