// ! && || give 0 or 1.
// want 0 int 0 1 1 1 0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int five = 5, none = 0;
    a[0] = !five;
    a[1] = !!five;
    a[2] = five && 4;
    a[3] = none || five;
    a[4] = none && five;
    a[5] = !(none || none);
}
