// Literals in four bases, with separators; the type is the first that fits, unsigned only for the bases that are not ten.
// want 0 long 255 15 5 1000000 4294967295 2147483648
// want 1 uint 4 8 4 8 8
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device uint* b [[buffer(1)]])
{
    a[0] = 0xff;
    a[1] = 017;
    a[2] = 0b101;
    a[3] = 1'000'000;
    a[4] = 0xffffffff;
    a[5] = 2147483648;
    b[0] = sizeof(2147483647);
    b[1] = sizeof(2147483648);
    b[2] = sizeof(0xffffffff);
    b[3] = sizeof(4294967295);
    b[4] = sizeof(1ul);
}
