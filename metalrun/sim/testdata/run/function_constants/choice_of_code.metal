// A bool chooses between two arms for all threads.
// dispatch threads=3 per=3
// constant 0 bool false
// want 0 int 0 -1 -2
#include <metal_stdlib>
using namespace metal;

constant bool positive [[function_constant(0)]];
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (positive) {
        a[i] = i;
    } else {
        a[i] = -int(i);
    }
}
