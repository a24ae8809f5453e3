// The best match by type and number of arguments.
// want 0 int 1 2 3 4 5 1 6 8
#include <metal_stdlib>
using namespace metal;

static int kind(int) { return 1; }
static int kind(float) { return 2; }
static int kind(uint) { return 3; }
static int kind(int, int) { return 4; }
static int kind(float2) { return 5; }
static int wide(long) { return 6; }
static int wide(uint3) { return 7; }
template <typename T = long> static int wider(T, int) { return 8; }
template <typename T = long> static int wider(uint3, int) { return 9; }
kernel void f(device int* a [[buffer(0)]])
{
    short narrow = 0;
    a[0] = kind(1);
    a[1] = kind(1.0f);
    a[2] = kind(1u);
    a[3] = kind(1, 2);
    a[4] = kind(float2(1));
    a[5] = kind(narrow);
    a[6] = wide(1u);
    a[7] = wider<long>(1u, 0);
}
