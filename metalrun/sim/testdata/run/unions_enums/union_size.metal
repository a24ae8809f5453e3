// A union is as large as its largest member, rounded up to the largest alignment.
// want 0 uint 4 8 8 4 12 4
#include <metal_stdlib>
using namespace metal;

union Small {
    char c;
    float f;
};
union Wide {
    char c[5];
    long l;
};
union Odd {
    uchar c[9];
    uint u;
};
kernel void f(device uint* a [[buffer(0)]])
{
    a[0] = sizeof(Small);
    a[1] = sizeof(Wide);
    a[2] = alignof(Wide);
    a[3] = alignof(Small);
    a[4] = sizeof(Odd);
    a[5] = alignof(Odd);
}
