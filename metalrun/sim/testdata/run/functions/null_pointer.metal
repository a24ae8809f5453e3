// A call through a pointer to a function that points to none is a fault, whichever functions it could point to.
// bind 0 int 0
// fault 17:15 null pointer
#include <metal_stdlib>
using namespace metal;

static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }

kernel void k(device int *out [[buffer(0)]])
{
    int (*f)(int) = nullptr;
    if (out[0] == 1)
        f = one;
    if (out[0] == 2)
        f = two;
    out[0] = f(3);
}
