// Also where the two stores are apart; another value is not allowed.
// dispatch threads=2 per=2
// semantics samevalue
// bind 0 int 0 x2
// want 0 int 7 5
// find 18:16 wrong race write and write; 14:16
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    if (i == 0) {
        out[0] = 7;
        out[1] = 6;
    }
    if (i == 1) {
        out[0] = 7;
        out[1] = 5;
    }
}
