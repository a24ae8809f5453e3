// Each thread reads what another one has stored, with no barrier between.
// dispatch threads=64 per=64
// local 0 256
// bind 0 int 0 x64
// find 12:15 wrong race read and write; 11:10
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], threadgroup int* x [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    x[i] = int(i);
    out[i] = x[63 - i];
}
