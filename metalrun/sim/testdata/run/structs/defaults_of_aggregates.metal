// A default of a member may use the members before it; a defaulted constructor leaves a struct an aggregate.
// want 0 int 2 6 12 1 5
#include <metal_stdlib>
using namespace metal;

struct Shape { int rows; int cols = rows * 3; int size = rows * cols; };
template <typename T> struct Pair { int i; T x; constexpr Pair<T>() threadgroup = default; };
kernel void f(device int* a [[buffer(0)]])
{
    Shape s = {2};
    a[0] = s.rows;
    a[1] = s.cols;
    a[2] = s.size;
    Pair<float> p = {1, 5.0f};
    a[3] = p.i;
    a[4] = int(p.x);
}
