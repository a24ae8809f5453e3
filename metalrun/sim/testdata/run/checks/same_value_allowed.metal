// It is allowed here.
// dispatch threads=4 per=4
// semantics samevalue
// want 0 int 0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    out[i / 2] = int(i / 2);
}
