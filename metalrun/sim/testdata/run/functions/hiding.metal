// A function of the program hides nothing of the library that matches better.
// want 0 float 1 5
#include <metal_stdlib>
using namespace metal;

struct Version {
    int major, minor;
};
static Version max(Version x, Version y) { return x.major > y.major ? x : y; }
kernel void f(device float* a [[buffer(0)]])
{
    Version x = {1, 5}, y = {0, 9};
    a[0] = max(0.5f, 1.0f);
    a[1] = max(x, y).minor;
}
