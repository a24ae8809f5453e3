#include <metal_stdlib>
using namespace metal;

constexpr int log2i(int n) { return n <= 1 ? 0 : 1 + log2i(n / 2); }
constexpr uint gcd(uint a, uint b) { while (b) { uint t = a % b; a = b; b = t; } return a; }
constexpr int triangle(int n) { int s = 0; for (int i = 1; i <= n; ++i) s += i; return s; }
static_assert(log2i(1024) == 10, "log2");
static_assert(gcd(48, 36) == 12, "gcd");
constant int table[3] = {triangle(3), triangle(4), log2i(8)};
kernel void constexprs(device int* out [[buffer(0)]])
{
    constexpr int n = triangle(4);
    float a[n];
    a[n - 1] = 1;
    const int m = n + 2;
    int b[m] = {};
    out[0] = a[9] + b[11] + table[1];
    constexpr float half_pi = M_PI_F / 2;
    out[1] = half_pi;
    constexpr int list[] = {1, 2, 3};
    static_assert(list[2] == 3, "list");
    out[2] = triangle(out[0]);
}
