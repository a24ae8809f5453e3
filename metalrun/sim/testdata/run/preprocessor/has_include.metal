// defined, __has_include and nested use of macros in conditions.
// want 0 int 1 0 5
#include <metal_stdlib>
using namespace metal;

#define LEVEL 2
#define AT_LEAST(n) (LEVEL >= n)
kernel void f(device int* a [[buffer(0)]])
{
#if __has_include("present.h")
    a[0] = 1;
#endif
#if __has_include("absent.h")
    a[1] = 1;
#else
    a[1] = 0;
#endif
#if AT_LEAST(2) && !AT_LEAST(3)
    a[2] = 5;
#endif
}
// file present.h
#define PRESENT
