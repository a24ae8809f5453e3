// A quotient that is not used.
// dispatch threads=3 per=3
// bind 1 int 0 1 2
// want 0 int 0 6 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device const int* x [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    int q = 6 / x[i];
    out[i] = x[i] == 0 ? 0 : q;
}
