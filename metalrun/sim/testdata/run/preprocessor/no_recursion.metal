// A macro does not expand inside of its own expansion, directly or through another.
// want 0 int 6 13
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int x = 5, ping = 10;
#define x (x + 1)
    a[0] = x;
#define ping pong + 1
#define pong ping + 2
    a[1] = ping;
}
