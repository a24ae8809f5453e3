// Components by name and by index, read and written in place.
// bind 0 short 1 2 3 4 5 6
// want 0 short 1 20 3 40 5 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device packed_short3* a [[buffer(0)]])
{
    a[0].y = a[0].y * 10;
    a[1][0] *= 10;
    int last = 2;
    a[1][last]++;
}
