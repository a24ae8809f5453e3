// A variable that one branch alone sets.
// dispatch threads=4 per=4
// bind 0 int 0 x64
// find 10:5 wrong uninitialised thread "x"
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    int x;
    if (i > 0) {
        x = 2;
    }
    out[i] = x;
}
