// uchar sums wrap (496 - 256), halves and vectors work by component.
// dispatch threads=32 per=32
// want 0 float 240 16 496 -32
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    uchar c = simd_sum(uchar(lane));
    half h = simd_sum(0.5h);
    float2 v = simd_sum(float2(lane, -1));
    if (lane == 31) {
        a[0] = c;
        a[1] = h;
        a[2] = v.x;
        a[3] = v.y;
    }
}
