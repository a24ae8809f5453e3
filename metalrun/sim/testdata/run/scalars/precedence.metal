// 2+3*4, 1<<(2+1), (10-4)-3, 5&(3==3), (!0)+1, 7|(1^(3&2)), (1<2)==1.
// want 0 int 14 8 3 1 2 7 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int one = 1, two = 2, three = 3;
    a[0] = two + three * 4;
    a[1] = one << two + one;
    a[2] = 10 - 4 - three;
    a[3] = 5 & three == three;
    a[4] = !0 + one;
    a[5] = 7 | one ^ three & two;
    a[6] = one < two == one;
}
