// Macros given at compilation are defined from the first line on.
// define WIDTH 12
// define FAST
// want 0 int 13
#include <metal_stdlib>
using namespace metal;

#ifdef FAST
#define EXTRA 1
#else
#define EXTRA 0
#endif
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = WIDTH + EXTRA;
}
