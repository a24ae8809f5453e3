// Prefix forms give the new value, postfix forms the old one.
// want 0 int 5 6 7 7 5
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int x = 5;
    a[0] = x++;
    a[1] = x;
    a[2] = ++x;
    a[3] = x--;
    a[4] = --x;
}
