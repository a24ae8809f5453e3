// An index past program-scope data.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// fault 12:17 out of range of constant "table"
#include <metal_stdlib>
using namespace metal;

constant int table[3] = {2, 3, 5};

kernel void primes(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = table[i];
}
