// A store to a component may write the whole vector.
// dispatch threads=2 per=2
// bind 0 float 7 x4
// want 0 float 7 1 2 7
// find 14:16 wrong race may write the whole vector; 12:16
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    if (i == 0) {
        out->y = 1;
    } else {
        out->z = 2;
    }
}
