// A function may be called before its body is seen.
// want 0 int 7
#include <metal_stdlib>
using namespace metal;

static int later(int x);
static inline int first(int x) { return later(x) + 1; }
static int later(int x) { return x * 2; }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = first(3);
}
