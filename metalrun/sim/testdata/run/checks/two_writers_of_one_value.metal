// Although both store the same, unless that is allowed, it is a race.
// dispatch threads=4 per=4
// want 0 int 0 1
// find 10:16 undefined race write and write; 10:16
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    out[i / 2] = int(i / 2);
}
