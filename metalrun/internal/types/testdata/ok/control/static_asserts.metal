#include <metal_stdlib>
using namespace metal;

constant constexpr int tile = 8;
static_assert(tile % 8 == 0, "tiles are multiples of eight");
template <int N> void check() { static_assert(N > 0, "positive"); }
struct S { int x; static_assert(sizeof(int) == 4, "int"); };
kernel void asserts(device int* out [[buffer(0)]])
{
    static_assert(sizeof(S) == 4);
    check<tile>();
    constexpr uint n = tile * 2;
    static_assert(n == 16 && tile < n, "n");
    out[0] = n;
}
