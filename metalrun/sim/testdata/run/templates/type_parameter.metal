// A function template for several types; T decides how the division goes.
// want 0 float 3 3.5 3.5
#include <metal_stdlib>
using namespace metal;

template <typename T> static T halved(T x) { return x / 2; }
kernel void f(device float* a [[buffer(0)]])
{
    a[0] = halved(7);
    a[1] = halved(7.0f);
    a[2] = halved<half>(7);
}
