// auto& and const auto& take type and address space from what they name.
// bind 0 int 1 2
// want 0 int 5 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    device auto& first = a[0];
    first = 5;
    int x = 1;
    thread auto& y = x;
    y = 2;
    const device auto& seen = a[0];
    a[1] = seen + x;
}
