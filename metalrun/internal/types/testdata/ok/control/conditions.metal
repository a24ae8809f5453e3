#include <metal_stdlib>
using namespace metal;

struct Maybe { int v; operator bool() const { return v != 0; } };
kernel void conditions(device int* out [[buffer(0)]], device const uchar* flags [[buffer(1)]])
{
    Maybe m = {3};
    if (m) out[0] = 1;
    if (!m || flags[0]) out[1] = 2;
    bool all = true;
    all &= flags[1] == 0;
    all |= flags[2];
    out[2] = all;
    while (flags[out[3]] && out[3] < 4) out[3]++;
    out[4] = (flags[3] ? true : m) ? 1 : 0;
    if ((out[5] = flags[4])) out[6] = 1;
}
