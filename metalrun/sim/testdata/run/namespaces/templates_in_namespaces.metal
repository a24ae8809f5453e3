// A template of a namespace, used by qualified name and after a using declaration.
// want 0 float 2.5 4
#include <metal_stdlib>
using namespace metal;

namespace tools {
template <typename T> static T mean(T x, T y) { return (x + y) / 2; }
}
using tools::mean;
kernel void f(device float* a [[buffer(0)]])
{
    a[0] = tools::mean(2.0f, 3.0f);
    a[1] = mean<int>(4, 5);
}
