// It need not reach memory: a branch is enough.
// dispatch threads=2 per=2
// want 0 int 5 5
// find 12:10 undefined uninitialised threadgroup "x" (uninitialised_branch.metal:10:5); 10:5
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup int x[2];
    int y = 5;
    if (x[i] == 0) {
        y = y | 4;
    }
    out[i] = y;
}
