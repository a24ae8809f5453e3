// #ifdef and #ifndef ask for a definition, whatever its value; nesting is counted in skipped groups.
// want 0 int 1 2 3
#include <metal_stdlib>
using namespace metal;

#define NOTHING
#define ZERO 0
kernel void f(device int* a [[buffer(0)]])
{
#ifdef NOTHING
    a[0] = 1;
#endif
#ifndef ZERO
    a[1] = 0;
#ifdef NOTHING
    this is not read
#else
    nor "this
#endif
#else
    a[1] = 2;
#endif
#undef ZERO
#if defined ZERO || !defined NOTHING
#error not reached
#else
    a[2] = 3;
#endif
}
