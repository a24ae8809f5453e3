// Pointers compare by address; nullptr is false.
// want 0 int 1 0 1 1 1 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int v[4];
    thread int* p = v;
    thread int* q = v + 2;
    thread int* none = nullptr;
    a[0] = p < q;
    a[1] = p == q;
    a[2] = p + 2 == q;
    a[3] = q != nullptr;
    a[4] = !none;
    a[5] = none ? 1 : 0;
}
