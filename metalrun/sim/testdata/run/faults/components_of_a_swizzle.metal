// An index past the components that are selected of a vector, which has more.
// dispatch threads=1 per=1
// bind 0 int 1 2
// fault 10:16 out of range of thread "temporary"
#include <metal_stdlib>
using namespace metal;
kernel void f(device int* a [[buffer(0)]])
{
    const int4 v(a[0], a[1], 3, 4);
    a[0] = v.zw[a[1]];
}
