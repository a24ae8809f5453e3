// The library is in namespace metal; using it is not required.
// want 0 float 2 3 1.5
#include <metal_stdlib>

kernel void f(device float* a [[buffer(0)]])
{
    metal::float2 v = metal::float2(2, 1);
    a[0] = metal::max(v.x, v.y);
    a[1] = metal::precise::sqrt(9.0f);
    a[2] = metal::fast::clamp(2.0f, 0.5f, 1.5f);
}
