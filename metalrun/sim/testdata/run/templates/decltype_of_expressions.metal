// decltype takes the type of a variable or expression.
// want 0 float 3.5 3 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    float x = 3.5f;
    int n = 3;
    decltype(x) y = x;
    decltype(n) m = 3.9f;
    a[0] = y;
    a[1] = m;
    a[2] = sizeof(decltype(n + x));
}
