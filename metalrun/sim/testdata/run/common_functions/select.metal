// select(a, b, c) is c ? b : a, by component for vectors.
// dispatch threads=2 per=2
// want 0 int 1 20
// want 1 float 10 2 30 40
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device float4* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = select(1, 20, i == 1);
    float4 u = float4(1, 2, 3, 4);
    if (i == 0) {
        b[0] = select(u, u * 10, u != 2);
    }
}
