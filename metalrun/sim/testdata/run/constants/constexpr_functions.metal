// constexpr functions give constants: 10! = 3628800, log2(1000) = 9, and lengths of arrays.
// want 0 int 3628800 9 9
#include <metal_stdlib>
using namespace metal;

constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
constexpr int log2_floor(uint n)
{
    int r = 0;
    while (n > 1) {
        n >>= 1;
        r++;
    }
    return r;
}
constant int ten = factorial(10);
static_assert(factorial(5) == 120, "factorial");
kernel void f(device int* a [[buffer(0)]])
{
    int v[log2_floor(1000)] = {};
    a[0] = ten;
    a[1] = log2_floor(1000);
    a[2] = sizeof(v) / sizeof(v[0]);
}
