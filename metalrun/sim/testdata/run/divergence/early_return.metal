// Threads that return write nothing more.
// dispatch threads=6 per=6
// bind 0 int -1 x6
// want 0 int 0 1 2 -1 -1 -1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (i >= 3) {
        return;
    }
    a[i] = int(i);
}
