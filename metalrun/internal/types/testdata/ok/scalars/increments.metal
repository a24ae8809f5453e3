#include <metal_stdlib>
using namespace metal;

kernel void increments(device int* out [[buffer(0)]], device float* f [[buffer(1)]])
{
    int i = 0;
    out[i++] = i;
    out[++i] = i--;
    --i;
    uchar c = 255;
    c++;
    f[0]++;
    --f[1];
    (i += 2) *= 3;
    i = out[0] = 4;
    int j = (i++, i + 1);
    out[2] = j;
}
