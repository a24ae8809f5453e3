// ?: is right-associative, and its type is the common type of both arms.
// want 0 float 10 2 0.5 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    int x = (1, 2, 3);
    a[0] = x > 2 ? 10 : 20;
    a[1] = x < 0 ? 1 : x < 5 ? 2 : 3;
    a[2] = (x > 0 ? 1 : 2.5f) / 2;
    a[3] = x;
}
