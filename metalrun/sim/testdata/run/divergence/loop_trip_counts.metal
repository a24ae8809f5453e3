// Each thread takes as many turns as its index.
// dispatch threads=5 per=5
// bind 0 int 0 x5
// want 0 int 0 1 3 6 10
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int sum = 0;
    for (uint j = 0; j <= i; j++) {
        sum += int(j);
    }
    a[i] = sum;
}
