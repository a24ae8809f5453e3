// Member functions see the members; those of a constant struct are const.
// want 0 int 3 25 10
#include <metal_stdlib>
using namespace metal;

struct Vector {
    int x, y;
    int square() const { return x * x + y * y; }
    void scale(int s)
    {
        x *= s;
        y *= s;
    }
    static int twice(int n) { return 2 * n; }
};
kernel void f(device int* a [[buffer(0)]])
{
    Vector v = {3, 4};
    a[0] = v.x;
    a[1] = v.square();
    v.scale(2);
    a[2] = v.square() / 10 + Vector::twice(0);
}
