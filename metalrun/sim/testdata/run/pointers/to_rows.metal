// A pointer to an array moves by whole rows.
// bind 1 int 1 2 3 4 5 6
// want 0 int 4 3 6 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]])
{
    device const int (*rows)[3] = (device const int (*)[3])x;
    a[0] = rows[1][0];
    a[1] = rows[0][2];
    ++rows;
    a[2] = (*rows)[2];
    a[3] = rows[-1][1];
}
