// A member of reference type denotes the object that the constructor or the list bound it to.
// bind 1 int 5
// want 0 int 5 7 9
#include <metal_stdlib>
using namespace metal;

struct View { constant int& n; thread int& x; };
struct Count { thread int& x; Count(thread int& y) : x(y) {} void up() { x += 2; } };
kernel void f(device int* a [[buffer(0)]], constant int& n [[buffer(1)]])
{
    int y = 7;
    View v = {n, y};
    a[0] = v.n;
    a[1] = v.x;
    Count c(y);
    c.up();
    a[2] = y;
}
