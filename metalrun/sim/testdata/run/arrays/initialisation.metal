// What an initialiser leaves out is zero; the length may follow from it.
// want 0 int 1 2 0 0 0 3 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int v[4] = {1, 2};
    int z[3] = {};
    int n[] = {5, 6, 7};
    a[0] = v[0];
    a[1] = v[1];
    a[2] = v[2];
    a[3] = v[3];
    a[4] = z[0] + z[1] + z[2];
    a[5] = sizeof(n) / sizeof(n[0]);
    a[6] = n[2];
}
