// Structs travel constant -> thread -> threadgroup -> device by assignment.
// inline 1 int 3 4
// want 0 int 4 3
#include <metal_stdlib>
using namespace metal;

struct Pair {
    int x, y;
};
kernel void f(device Pair* a [[buffer(0)]], constant Pair& c [[buffer(1)]])
{
    threadgroup Pair shared;
    Pair p = c;
    int t = p.x;
    p.x = p.y;
    p.y = t;
    shared = p;
    a[0] = shared;
}
