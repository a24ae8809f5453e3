// The same for references.
// inline 1 int 5
// want 0 int 10 105 1007
#include <metal_stdlib>
using namespace metal;

static int read(device const int& x) { return x; }
static int read(constant int& x) { return x + 100; }
static int read(thread int& x) { return x + 1000; }
kernel void f(device int* a [[buffer(0)]], constant int& c [[buffer(1)]])
{
    int local = 7;
    a[0] = 10;
    a[0] = read(a[0]);
    a[1] = read(c);
    a[2] = read(local);
}
