// vec<T, n> is another name of the same type.
// want 0 half 1 2 3 4
// want 1 int 6
#include <metal_stdlib>
using namespace metal;

static int sum(int3 v) { return v.x + v.y + v.z; }
kernel void f(device half4* a [[buffer(0)]], device int* b [[buffer(1)]])
{
    vec<half, 4> v = vec<half, 4>(1, 2, 3, 4);
    vec<int, 3> w(1, 2, 3);
    a[0] = v;
    b[0] = sum(w);
}
