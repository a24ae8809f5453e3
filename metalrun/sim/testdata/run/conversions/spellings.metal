// (int)x, int(x) and static_cast<int>(x) are one conversion; a cast binds closer than +.
// bind 1 float 3.7 0.3
// want 0 int 3 4 3 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = (int)x[0] + int(x[1]);
    a[1] = (int)(x[0] + x[1]);
    a[2] = static_cast<int>(x[0]);
    a[3] = int{3};
}
