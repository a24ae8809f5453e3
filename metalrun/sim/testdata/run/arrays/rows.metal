// The last index of an array of arrays runs fastest.
// want 0 int 6 2 4 1 2 3 4 5 6
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    a[0] = m[1][2];
    a[1] = m[0][1];
    a[2] = *m[1];
    thread int* p = &m[0][0];
    for (int i = 0; i < 6; i++) {
        a[3 + i] = p[i];
    }
}
