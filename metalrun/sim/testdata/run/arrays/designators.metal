// [i] = v and [i ... j] = v name elements; what no one names is zero, and what follows goes on from there.
// want 0 int 0 5 5 5 6 0 1 2 9
#include <metal_stdlib>
using namespace metal;

constant int table[6] = {[1 ... 3] = 5, 6};
kernel void f(device int* a [[buffer(0)]])
{
    for (int i = 0; i < 6; i++) a[i] = table[i];
    int v[] = {1, 2, [5] = 9};
    a[6] = v[0];
    a[7] = v[1];
    a[8] = v[sizeof(v) / sizeof(int) - 1];
}
