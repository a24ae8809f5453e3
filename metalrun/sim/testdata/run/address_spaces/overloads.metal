// Functions may differ in the address space of a parameter only.
// local 0 16
// inline 1 int 0
// want 0 int 1 2 3 4
#include <metal_stdlib>
using namespace metal;

static int space(device const int*) { return 1; }
static int space(constant int*) { return 2; }
static int space(threadgroup const int*) { return 3; }
static int space(thread const int*) { return 4; }
kernel void f(device int* a [[buffer(0)]], constant int* c [[buffer(1)]], threadgroup int* t [[threadgroup(0)]])
{
    int local = 0;
    a[0] = space(a);
    a[1] = space(c);
    a[2] = space(t);
    a[3] = space(&local);
}
