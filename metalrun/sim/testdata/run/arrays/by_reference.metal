// A reference to an array keeps its length.
// want 0 int 6 3 9
#include <metal_stdlib>
using namespace metal;

static int sum(const thread int (&v)[3]) { return v[0] + v[1] + v[2]; }
static void raise(thread int (&v)[3])
{
    for (thread int& x : v) {
        x++;
    }
}
kernel void f(device int* a [[buffer(0)]])
{
    int v[3] = {1, 2, 3};
    a[0] = sum(v);
    raise(v);
    a[1] = v[1];
    a[2] = sum(v);
}
