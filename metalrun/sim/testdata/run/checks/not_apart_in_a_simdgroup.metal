// Nothing lets the store wait for what the other threads of the simdgroup read.
// dispatch threads=32 per=32
// bind 0 int 1 x32
// bind 1 int 3 x1
// find 13:14 wrong race write and read; 11:17
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device int* x [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    int mine = x[0];
    if (i == 0) {
        x[0] = 99;
    }
    out[i] = mine;
}
