// A range-based loop takes copies, or references that change the elements.
// want 0 int 10 10 20
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int v[] = {1, 2, 3, 4};
    int sum = 0;
    for (int x : v) {
        sum += x;
        x = 0;
    }
    a[0] = sum;
    a[1] = v[0] + v[1] + v[2] + v[3];
    for (thread auto& x : v) {
        x *= 2;
    }
    a[2] = v[0] + v[1] + v[2] + v[3];
}
