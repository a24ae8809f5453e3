// Defaults beside references, and overloads by constness of pointers.
// bind 1 int 4
// want 0 int 2 1 9
#include <metal_stdlib>
using namespace metal;

static int which(device int*) { return 2; }
static int which(device const int*) { return 1; }
static void add(thread int& to, int x = 4) { to += x; }
kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]])
{
    a[0] = which(a);
    a[1] = which(x);
    int v = 1;
    add(v);
    add(v, x[0]);
    a[2] = v;
}
