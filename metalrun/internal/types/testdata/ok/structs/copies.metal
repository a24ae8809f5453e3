#include <metal_stdlib>
using namespace metal;

struct Pair { float a, b; };
Pair swapped(Pair p) { return {p.b, p.a}; }
Pair sum(Pair p, Pair q) { Pair r; r.a = p.a + q.a; r.b = p.b + q.b; return r; }
kernel void copies(device Pair* out [[buffer(0)]], constant Pair& in [[buffer(1)]])
{
    Pair p = in;
    out[0] = swapped(p);
    out[1] = sum(p, swapped(in));
    out[2].a = swapped(p).b;
    Pair list[2] = {p, in};
    out[3] = list[1];
    Pair q;
    q = p;
    out[4] = (q = in);
}
