// The components of a packed vector lie apart like the elements of an array.
// dispatch threads=4 per=4
// want 0 float 0 1 2 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device packed_float4* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    (*out)[i] = float(i);
}
