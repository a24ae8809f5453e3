// using namespace brings all names; a local one is nearer.
// want 0 int 3 40
#include <metal_stdlib>
using namespace metal;

namespace numbers {
constant int three = 3;
constant int four = 4;
}
using namespace numbers;
kernel void f(device int* a [[buffer(0)]])
{
    int four = 40;
    a[0] = three;
    a[1] = four;
}
