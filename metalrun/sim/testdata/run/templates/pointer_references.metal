// A reference to a pointer is one to the pointer of this thread, whatever it points to; T is deduced from the target.
// bind 1 float 1 2 3 4
// want 0 float 3 4
#include <metal_stdlib>
using namespace metal;

template <typename T> void skip(const device T*& p, int n) { p += n; }
kernel void f(device float* a [[buffer(0)]], const device float* x [[buffer(1)]])
{
    skip(x, 2);
    a[0] = x[0];
    skip(x, 1);
    a[1] = x[0];
}
