// One lane's value for all; broadcast_first takes the first active lane, here 5.
// dispatch threads=32 per=32
// want 0 int 109 x32
// want 1 int 0 x5 105 x27
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]])
{
    int x = 100 + lane;
    a[lane] = simd_broadcast(x, 9);
    b[lane] = 0;
    if (lane >= 5) {
        b[lane] = simd_broadcast_first(x);
    }
}
