// A position of 16 bits counts modulo 65536.
// dispatch threads=65540 per=4
// bind 0 uint 0 x4
// want 0 uint 16384 16385 16386 16387
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint group [[threadgroup_position_in_grid]], ushort i [[thread_position_in_grid]])
{
    if (group == 16384) {
        a[i] = group + i;
    }
}
