// Bytes of one word are apart.
// dispatch threads=4 per=4
// want 0 uchar 9 8 7 6
#include <metal_stdlib>
using namespace metal;

kernel void f(device uchar* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    out[i] = uchar(9 - i);
}
