// Stores to narrow memory keep the low bits.
// bind 3 int 511 -1 70000 200
// want 0 uchar 255 255
// want 1 short 4464 -1
// want 2 char -56
#include <metal_stdlib>
using namespace metal;

kernel void f(device uchar* a [[buffer(0)]], device short* b [[buffer(1)]], device char* c [[buffer(2)]], device const int* x [[buffer(3)]])
{
    a[0] = x[0];
    a[1] = x[1];
    b[0] = x[2];
    b[1] = x[1];
    c[0] = x[3];
}
