// do while tests last: every thread takes one turn at least.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// want 0 int 1 1 2 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int n = 0;
    do {
        n++;
    } while (n < int(i));
    a[i] = n;
}
