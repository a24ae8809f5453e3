// Attributes and macros in front of functions change nothing.
// want 0 int 1 2 3 4
#include <metal_stdlib>
using namespace metal;

METAL_FUNC int one() { return 1; }
inline __attribute__((always_inline)) int two() { return 2; }
__attribute__((noinline)) static int three() { return 3; }
[[maybe_unused]] static int four() { return 4; }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = one();
    a[1] = two();
    a[2] = three();
    a[3] = four();
}
