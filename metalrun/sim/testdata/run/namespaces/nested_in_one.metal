// namespace a::b opens both.
// want 0 int 6
#include <metal_stdlib>
using namespace metal;

namespace a::b {
static int six() { return 6; }
}
kernel void f(device int* out [[buffer(0)]])
{
    out[0] = a::b::six();
}
