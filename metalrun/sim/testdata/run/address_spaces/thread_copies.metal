// A copy in thread memory does not change device memory.
// bind 0 int 1 2 3
// want 0 int 1 2 3
// want 1 int 60
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]])
{
    int v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = a[i];
        v[i] *= 10;
    }
    b[0] = v[0] + v[1] + v[2];
}
