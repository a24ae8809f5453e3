// An attribute on a parameter of an ordinary function means nothing: the argument is what the caller gives.
// dispatch threads=3 per=3
// want 0 uint 7 8 9
#include <metal_stdlib>
using namespace metal;

static uint helper(uint i [[thread_position_in_grid]]) { return i + 7; }
kernel void f(device uint* a [[buffer(0)]], uint p [[thread_position_in_grid]])
{
    a[p] = helper(p);
}
