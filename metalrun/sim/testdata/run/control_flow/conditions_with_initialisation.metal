// if and switch with an initialising statement.
// dispatch threads=4 per=4
// want 0 int -1 2 4 -1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (int x = 2 * i; x > 0 && x < 6) {
        a[i] = x;
    } else {
        a[i] = -1;
    }
}
