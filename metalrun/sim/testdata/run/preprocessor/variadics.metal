// __VA_ARGS__ stands for all further arguments with their commas.
// want 0 int 6 60 3
#include <metal_stdlib>
using namespace metal;

#define SUM(...) sum(__VA_ARGS__)
#define SCALED(by, ...) (by * sum(__VA_ARGS__))
#define LIST(...) { __VA_ARGS__ }
static int sum(int x, int y, int z) { return x + y + z; }
kernel void f(device int* a [[buffer(0)]])
{
    int v[] = LIST(1, 2, 3);
    a[0] = SUM(v[0], v[1], v[2]);
    a[1] = SCALED(10, 1, 2, 3);
    a[2] = sizeof(v) / sizeof(int);
}
