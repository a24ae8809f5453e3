// Halves: products and sums up to 2048 are exact.
// want 0 half 10 5 0.5
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]])
{
    a[0] = dot(half4(1, 2, 3, 4), half4(1));
    a[1] = length(half2(3, 4));
    a[2] = normalize(half4(1)).w;
}
