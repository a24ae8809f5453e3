// A threadgroup may see what another one has stored or not, and does not use it.
// dispatch threads=8 per=4
// bind 0 int 2 x9
// want 0 int 0 1 2 3 4 5 6 7 2
// find 12:10 undefined race write and read; 11:17
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int next = x[i + 1];
    x[i] = next < -5 ? next : int(i);
}
