// Each thread copies its row in vectors by one pointer, and what is left in scalars by the same.
// dispatch threads=2 per=2
// bind 0 float 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18
// bind 2 int 9
// want 1 float 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18
#include <metal_stdlib>
using namespace metal;

kernel void f(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant int& n [[buffer(2)]], uint t [[thread_position_in_grid]])
{
    device const float* from = x + t * n;
    device float* to = y + t * n;
    int i = 0;
    for (; i < n / 4; i++) {
        ((device packed_float4*)to)[i] = ((device const packed_float4*)from)[i];
    }
    i *= 4;
    for (; i < n; i++) {
        to[i] = from[i];
    }
}
