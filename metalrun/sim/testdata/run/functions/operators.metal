// Operators on the program's own types, as functions.
// want 0 int 4 6 -1 1
#include <metal_stdlib>
using namespace metal;

struct Pair {
    int x, y;
};
static Pair operator+(Pair p, Pair q) { return {p.x + q.x, p.y + q.y}; }
static Pair operator-(Pair p) { return {-p.x, -p.y}; }
static bool operator<(Pair p, Pair q) { return p.x < q.x; }
kernel void f(device int* a [[buffer(0)]])
{
    Pair p = {1, 2}, q = {3, 4};
    Pair s = p + q;
    a[0] = s.x;
    a[1] = s.y;
    a[2] = (-p).x;
    a[3] = p < q;
}
