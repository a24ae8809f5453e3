// Both arms of a branch that threads take apart.
// dispatch threads=6 per=6
// bind 0 int 0 x6
// want 0 int 10 1 12 3 14 5
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int x = int(i);
    if (i % 2 == 0) {
        x += 10;
    }
    a[i] = x;
}
