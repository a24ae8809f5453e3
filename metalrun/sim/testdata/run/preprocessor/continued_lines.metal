// A backslash at the end of a line joins the next one, in macros, in comments and inside of tokens; comments are blanks.
// want 0 int 6 70 4
#include <metal_stdlib>
using namespace metal;

#define LONG_SUM(x) \
    (x) +           \
    (x) +           \
    (x)
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = LONG_SUM(2);
    int value = 70; // this comment goes on \
    value = 0;
    a[1] = val\
ue;
    a[2] = 1 /* + 100 */ + /* // */ 3;
}
