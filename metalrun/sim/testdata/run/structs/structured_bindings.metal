// Names for the parts of a struct or an array: of a copy, or of the object itself.
// want 0 int 1 2 7 2 30 20
#include <metal_stdlib>
using namespace metal;

struct Pair { int a; float b; };
Pair make() { Pair p = {1, 2.0f}; return p; }
kernel void f(device int* out [[buffer(0)]])
{
    auto [x, y] = make();
    out[0] = x;
    out[1] = int(y);
    Pair p = {5, 2.0f};
    thread auto& [m, n] = p;
    m += 2;
    out[2] = p.a;
    out[3] = int(n);
    int v[2] = {10, 20};
    thread auto& [first, second] = v;
    first *= 3;
    out[4] = v[0];
    out[5] = second;
}
