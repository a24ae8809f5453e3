// and, or, xor of 4 5 6 7 and of 8 9 10 11.
// dispatch threads=8 per=8
// want 0 uint 4 7 0 8 11 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint i [[thread_position_in_grid]], uint q [[quadgroup_index_in_threadgroup]])
{
    uint x = i + 4;
    uint common = quad_and(x), any = quad_or(x), odd = quad_xor(x);
    if (quad_is_first()) {
        a[3 * q] = common;
        a[3 * q + 1] = any;
        a[3 * q + 2] = odd;
    }
}
