// Arguments are not values: 1+2*1+2 is 5, ((1+2)*(1+2)) is 9.
// want 0 int 5 9 6
#include <metal_stdlib>
using namespace metal;

#define CARELESS(x) x * x
#define SQUARE(x) ((x) * (x))
#define ADD(x, y) ((x) + (y))
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = CARELESS(1 + 2);
    a[1] = SQUARE(1 + 2);
    a[2] = ADD(ADD(1, 2), ADD(1, 2));
}
