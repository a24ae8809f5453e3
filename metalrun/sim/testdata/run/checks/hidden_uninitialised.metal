// Where one open value hides another both are found: NaN times anything is NaN.
// dispatch threads=2 per=2
// bind 0 float 0 x2
// find 13:15 wrong uninitialised threadgroup "x" (hidden_uninitialised.metal:11:5); 11:5
// find 13:22 wrong uninitialised threadgroup "y" (hidden_uninitialised.metal:12:5); 12:5
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup float x[2];
    threadgroup float y[2];
    out[i] = x[i] * y[i];
}
