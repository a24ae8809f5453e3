// An index past an array in what a function returns.
// dispatch threads=1 per=1
// bind 0 int 1 2
// fault 16:30 out of range of thread "temporary"
#include <metal_stdlib>
using namespace metal;

struct Pair { int x[2]; };

static inline Pair pair(int a, int b)
{
    return Pair{{a, b}};
}
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = pair(a[0], a[1]).x[a[1]];
}
