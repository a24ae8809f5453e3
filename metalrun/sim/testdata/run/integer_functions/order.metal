// Ends, middle and clamping, signed and unsigned.
// bind 1 int -1 5 3
// want 0 long -1 5 -1 5 3 4 4294967295 3 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device const int* x [[buffer(1)]])
{
    a[0] = min(x[0], x[1]);
    a[1] = max(x[0], x[1]);
    a[2] = min3(x[0], x[1], x[2]);
    a[3] = max3(x[0], x[1], x[2]);
    a[4] = median3(x[0], x[1], x[2]);
    a[5] = clamp(x[1], 0, 4);
    a[6] = max(uint(x[0]), uint(x[1]));
    a[7] = clamp(x[2], -4, 4);
    a[8] = clamp(x[0], 0, 4);
}
