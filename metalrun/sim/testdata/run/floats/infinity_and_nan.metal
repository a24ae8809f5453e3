// Division by zero gives infinities; what has no value gives NaN.
// bind 1 float 0 1 inf
// want 0 float inf -inf nan nan nan inf
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    float zero = x[0], one = x[1], inf = x[2];
    a[0] = one / zero;
    a[1] = -one / zero;
    a[2] = zero / zero;
    a[3] = inf - inf;
    a[4] = inf * zero;
    a[5] = inf + one;
}
