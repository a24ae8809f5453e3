// A comparison gives a bool for each component.
// want 0 int 1 0 1 0 1 0 0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int3 u = int3(1, 5, 3), v = int3(1, 2, 3);
    bool3 same = u == v;
    bool3 less = u < v;
    a[0] = same.x;
    a[1] = same.y;
    a[2] = same.z;
    a[3] = all(same);
    a[4] = any(same);
    a[5] = any(less);
    a[6] = all(u <= v);
    a[7] = all(u >= v);
}
