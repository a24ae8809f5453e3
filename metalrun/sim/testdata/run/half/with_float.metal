// half with int is half, half with float is float.
// bind 3 half 1
// want 0 half bits:3555
// want 1 float bits:3eaaaaab
// want 2 uint 2 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device float* b [[buffer(1)]], device uint* c [[buffer(2)]], device const half* x [[buffer(3)]])
{
    int three = 3;
    a[0] = x[0] / three;
    b[0] = x[0] / 3.0f;
    c[0] = sizeof(x[0] / three);
    c[1] = sizeof(x[0] / 3.0f);
}
