// An element of an array of the thread that is read before it is written.
// dispatch threads=4 per=4
// bind 1 int 3
// bind 0 int 0 x64
// find 15:15 wrong uninitialised thread "x"; 11:5
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device const int* n [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    int x[4];
    for (int k = 0; k < n[0]; k++) {
        x[k] = k;
    }
    out[i] = x[i];
}
