// A sum by exchanges at distances 16, 8, 4, 2, 1.
// dispatch threads=32 per=32
// want 0 float 248 x32
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    float x = lane * 0.5f;
    for (ushort d = 16; d > 0; d /= 2) {
        x += simd_shuffle_xor(x, d);
    }
    a[lane] = x;
}
