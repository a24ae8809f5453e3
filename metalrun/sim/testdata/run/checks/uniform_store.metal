// All threads store to one address.
// dispatch threads=3 per=3
// want 0 int 4
// find 10:12 undefined race write and write; 10:12
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]])
{
    out[0] = 4;
}
