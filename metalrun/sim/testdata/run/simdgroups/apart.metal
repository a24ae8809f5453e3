// Simdgroups of a threadgroup do not see each other.
// dispatch threads=64 per=64
// want 0 int 31 x32 63 x32
// want 1 int 10 x32 42 x32
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = simd_max(int(i));
    b[i] = simd_broadcast(int(i), 10);
}
