#include <metal_stdlib>
using namespace metal;

float f(float x) { return x; }
int f(int x) { return x + 1; }
half f(half x) { return x; }
float f(float x, float y) { return x * y; }
float4 f(float4 v) { return v; }
uint g(uint x) { return x; }
float g(float x) { return x; }
kernel void overloads(device float* out [[buffer(0)]])
{
    out[0] = f(1.0f) + f(2) + f(3.0h) + f(1, 2) + f(float4(1)).x;
    uchar c = 3;
    out[1] = f(c);
    out[2] = f('a');
    out[3] = g(2.0f) + g(2u);
    bool b = true;
    out[4] = f(b);
}
