// Differences count elements, of any size, with sign.
// want 0 long 3 -3 2 3 12
// bind 1 float 0 x16
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device const float4* x [[buffer(1)]])
{
    int v[8];
    thread int* p = &v[1];
    thread int* q = &v[4];
    a[0] = q - p;
    a[1] = p - q;
    a[2] = &x[3] - (x + 1);
    device const float4* e = x + 3;
    a[3] = e - x;
    a[4] = (device const float*)e - (device const float*)x;
}
