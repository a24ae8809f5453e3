// A row for each simdgroup: lanes stride over 40 columns of ones times the row number plus one.
// dispatch groups=2 per=64
// inline 1 uint 40
// want 0 float 40 80 120 160
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], constant uint& n [[buffer(1)]], uint g [[threadgroup_position_in_grid]], uint s [[simdgroup_index_in_threadgroup]], ushort lane [[thread_index_in_simdgroup]])
{
    uint row = g * 2 + s;
    float sum = 0;
    for (uint c = lane; c < n; c += 32) {
        sum += row + 1;
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        a[row] = sum;
    }
}
