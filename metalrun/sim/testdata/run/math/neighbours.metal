// nextafter steps by one unit in the last place.
// bind 1 float 1 0 -1
// want 0 float bits:3f800001 bits:3f7fffff bits:1 bits:80000001 bits:bf7fffff 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = nextafter(x[0], 2.0f);
    a[1] = nextafter(x[0], 0.0f);
    a[2] = nextafter(x[1], 1.0f);
    a[3] = nextafter(x[1], -1.0f);
    a[4] = nextafter(x[2], 0.0f);
    a[5] = nextafter(x[0], 1.0f);
}
