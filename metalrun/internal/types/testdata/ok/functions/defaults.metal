#include <metal_stdlib>
using namespace metal;

float scale(float x, float by = 2.0f, int n = 1) { return x * by * n; }
int later(int x, int y = 3);
int later(int x, int y) { return x - y; }
constant int base = 5;
int with_global(int x = base + 1) { return x; }
kernel void defaults(device float* out [[buffer(0)]])
{
    out[0] = scale(1) + scale(1, 3) + scale(1, 3, 2);
    out[1] = later(1) + later(1, 2);
    out[2] = with_global();
}
