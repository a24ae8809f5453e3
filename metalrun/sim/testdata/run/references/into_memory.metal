// A reference to an element of device memory reads and writes there.
// bind 0 int 1 2 3 4
// want 0 int 1 20 3 23
#include <metal_stdlib>
using namespace metal;

static void add(device int& to, int x) { to += x; }
kernel void f(device int* a [[buffer(0)]])
{
    device int& second = a[1];
    second *= 10;
    a[3] = second + a[2];
    add(a[1], 0);
}
