// Enumerators and bools as parameters choose at compile time.
// want 0 int 12 21 -5 5
#include <metal_stdlib>
using namespace metal;

enum class Layout { Row, Column };
template <Layout L, int W> static int at(int r, int c) { return L == Layout::Row ? r * W + c : c * W + r; }
template <bool Negate> static int sign(int x) { return Negate ? -x : x; }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = at<Layout::Row, 10>(1, 2);
    a[1] = at<Layout::Column, 10>(1, 2);
    a[2] = sign<true>(5);
    a[3] = sign<(2 > 3)>(5);
}
