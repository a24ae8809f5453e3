// m*v adds the columns times components: 5*(1,2) + 6*(3,4); v*m takes products with columns: 5+12, 15+24.
// want 0 float 23 34 17 39
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2* a [[buffer(0)]])
{
    float2x2 m = float2x2(1, 2, 3, 4);
    float2 v = float2(5, 6);
    a[0] = m * v;
    a[1] = v * m;
}
