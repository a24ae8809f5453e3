// A struct with operator() as type parameter, made in the template or passed.
// want 0 int 15 120 6
#include <metal_stdlib>
using namespace metal;

struct Add {
    int operator()(int x, int y) const { return x + y; }
};
struct Multiply {
    template <typename T> T operator()(T x, T y) const { return x * y; }
};
template <typename Op> static int fold(int n, int start)
{
    for (int i = 1; i <= n; i++) {
        start = Op()(start, i);
    }
    return start;
}
template <typename Op> static int twice(Op op, int x) { return op(x, x); }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = fold<Add>(5, 0);
    a[1] = fold<Multiply>(5, 1);
    a[2] = twice(Add(), 3);
}
