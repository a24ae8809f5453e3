#include <metal_stdlib>
using namespace metal;

constant int x = 1;
int f(int x) { { int x = 5; x++; } return x; }
kernel void shadowing(device int* out [[buffer(0)]])
{
    out[0] = x;
    int x = 2;
    for (int x = 0; x < 2; x++) { int y = x; out[x] = y; }
    { float x = 1.5f; out[1] = x; }
    out[2] = x + ::x + f(3);
}
