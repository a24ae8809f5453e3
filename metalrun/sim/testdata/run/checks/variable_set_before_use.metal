// A variable that every reader has set.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// want 0 int 0 2 2 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    int x;
    if (i > 0) {
        x = 2;
    }
    if (i > 0) {
        out[i] = x;
    }
}
