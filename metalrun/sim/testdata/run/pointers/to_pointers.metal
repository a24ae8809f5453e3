// A pointer to a pointer of the thread.
// want 0 int 5 7 9
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int v[2] = {5, 7};
    thread int* p = v;
    thread int* thread* pp = &p;
    a[0] = **pp;
    ++*pp;
    a[1] = *p;
    **pp = 9;
    a[2] = v[1];
}
