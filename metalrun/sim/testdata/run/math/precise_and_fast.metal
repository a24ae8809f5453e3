// Both variants are exact where the result is; vectors work by component.
// bind 1 float 4 9 16 25
// want 0 float 2 3 4 5 2 3 4 5 16 4096
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float4* x [[buffer(1)]])
{
    float4 p = precise::sqrt(x[0]), q = fast::sqrt(x[0]);
    for (int k = 0; k < 4; k++) {
        a[k] = p[k];
        a[4 + k] = q[k];
    }
    a[8] = fast::exp2(x[0].x);
    a[9] = precise::pow(x[0].z, 3.0f);
}
