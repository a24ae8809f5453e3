// Constants initialised from earlier ones, in integers and floats.
// want 0 float 64 2048 6.25
#include <metal_stdlib>
using namespace metal;

constant uint width = 64;
constant uint area = width * width / 2;
constant float side = 2.5f;
constant float square = side * side;
kernel void f(device float* a [[buffer(0)]])
{
    a[0] = width;
    a[1] = area;
    a[2] = square;
}
