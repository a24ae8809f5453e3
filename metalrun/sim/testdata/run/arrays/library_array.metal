// array<T, N> is copied as a whole.
// want 0 int 1 2 3 1 20 3 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    array<int, 3> v = {1, 2, 3};
    array<int, 3> w = v;
    w[1] = 20;
    for (uint i = 0; i < 3; i++) {
        a[i] = v[i];
        a[3 + i] = w[i];
    }
    a[6] = v.size();
}
