// #if evaluates integers; unknown names are 0; exactly one group is taken.
// want 0 int 2 1 1 1 4
#include <metal_stdlib>
using namespace metal;

#define SIZE 64
kernel void f(device int* a [[buffer(0)]])
{
#if SIZE < 32
    a[0] = 1;
#elif SIZE / 2 == 32 && defined(SIZE) && !defined(OTHER)
    a[0] = 2;
#elif SIZE == 64
    a[0] = 3;
#else
    a[0] = 4;
#endif
#if UNKNOWN
    a[1] = 0;
#else
    a[1] = 1;
#endif
#if (1 << 4 | 1) % 5 == 2 ? 1 : 0
    a[2] = 1;
#endif
#if -1 < 0 && 'A' == 65 && 0x10 == 020
    a[3] = 1;
#endif
#if 0
    a[4] = 1;
#elif 0
    a[4] = 2;
#elif 0
    a[4] = 3;
#else
    a[4] = 4;
#endif
}
