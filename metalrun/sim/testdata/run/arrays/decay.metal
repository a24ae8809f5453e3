// An array becomes a pointer to its first element where a function takes one.
// want 0 int 0 10 20 30 60
#include <metal_stdlib>
using namespace metal;

static void fill(thread int* p, int n)
{
    for (int i = 0; i < n; i++) {
        p[i] = 10 * i;
    }
}
static int sum(const thread int* p, int n)
{
    int s = 0;
    while (n-- > 0) {
        s += *p++;
    }
    return s;
}
kernel void f(device int* a [[buffer(0)]])
{
    int v[4];
    fill(v, 4);
    for (int i = 0; i < 4; i++) {
        a[i] = v[i];
    }
    a[4] = sum(v, 4);
}
