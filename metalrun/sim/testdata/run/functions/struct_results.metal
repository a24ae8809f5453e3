// A function returns several values in a struct, built by braces.
// want 0 float -1 7
#include <metal_stdlib>
using namespace metal;

struct Range {
    float low, high;
};
static Range range(float x, float y, float z) { return {min(x, min(y, z)), max(x, max(y, z))}; }
kernel void f(device Range* a [[buffer(0)]])
{
    a[0] = range(3, -1, 7);
}
