// The store waits for what all threads have read, through a sum, and for nothing else.
// dispatch threads=32 per=32
// bind 0 int 1 x32
// bind 1 int 3 x1
// want 0 int 96 x32
// want 1 int 99
// find 16:14 undefined race write and read; 13:17
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device int* x [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    int mine = x[0];
    int sum = simd_sum(mine);
    if (i == 0) {
        x[0] = sum + mine;
    }
    out[i] = sum;
}
