// Macros are replaced, the replacement is scanned again; #undef and a new definition change later uses only.
// want 0 int 7 14 3
#include <metal_stdlib>
using namespace metal;

#define TWO 2
#define SUM TWO + 5
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = SUM;
#undef TWO
#define TWO 9
    a[1] = SUM;
#undef SUM
#define SUM 3
    a[2] = SUM;
}
