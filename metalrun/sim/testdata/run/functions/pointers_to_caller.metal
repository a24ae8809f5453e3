// A function writes through a pointer to the caller's array and reports how much.
// want 0 int 3 0 4 2
#include <metal_stdlib>
using namespace metal;

static int even(thread int* to, int from, int n)
{
    int count = 0;
    for (int i = from; i < from + n; i++) {
        if (i % 2 == 0) {
            to[count++] = i;
        }
    }
    return count;
}
kernel void f(device int* a [[buffer(0)]])
{
    int v[4];
    int n = even(v, 0, 6);
    a[0] = n;
    a[1] = v[0];
    a[2] = v[n - 1];
    a[3] = v[1];
}
