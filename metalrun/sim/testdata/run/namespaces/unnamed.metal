// Names of an unnamed namespace are used without qualification.
// want 0 int -3 2
#include <metal_stdlib>
using namespace metal;

namespace {
int negative(int x) { return -x; }
struct Pair {
    int x, y;
};
}
kernel void f(device int* a [[buffer(0)]])
{
    Pair p = {3, 2};
    a[0] = negative(p.x);
    a[1] = p.y;
}
