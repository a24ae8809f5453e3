#include <metal_stdlib>
using namespace metal;

kernel void compare(device bool* out [[buffer(0)]], device const float* f [[buffer(1)]], device const int* n [[buffer(2)]])
{
    out[0] = f[0] < f[1];
    out[1] = f[0] == n[0];
    out[2] = n[0] >= 3u;
    out[3] = f != nullptr;
    out[4] = f < f + 3;
    out[5] = true == false;
    out[6] = 1.0h <= f[0];
    out[7] = n == 0;
    out[8] = (n[0] & 1) != 0;
}
