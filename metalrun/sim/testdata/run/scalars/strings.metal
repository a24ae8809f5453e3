// A string is an array of characters in the constant address space, with a zero at its end.
// want 0 int 4 98 0
#include <metal_stdlib>
using namespace metal;

int length(constant char* s) { int n = 0; while (s[n]) n++; return n; }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = length("abcd");
    a[1] = "abc"[1];
    a[2] = "abc"[3];
}
