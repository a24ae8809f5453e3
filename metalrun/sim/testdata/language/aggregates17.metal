// version 400
// What C++17 adds to aggregates: bases.
#include <metal_stdlib>
using namespace metal;

struct Base { int a; int get() const { return a; } };
struct Second { int s; };
struct Both : Base, Second { int t; };

// want int 2 2 3 1
kernel void pointers_to_bases(device int *out [[buffer(0)]])
{
    Both b = {{1}, {2}, 3};
    thread Second *p = &b;
    thread Base &r = static_cast<thread Base &>(b);
    out[0] = p->s;
    out[1] = static_cast<thread Second &>(b).s;
    out[2] = static_cast<thread Both *>(p)->t;
    out[3] = r.a;
}

struct Defaulted : Base { int c = 9; };

// want int 4 9 0 9
kernel void bases_left_out(device int *out [[buffer(0)]])
{
    Defaulted d = {{4}};
    Defaulted e = {};
    out[0] = d.a;
    out[1] = d.c;
    out[2] = e.a;
    out[3] = e.c;
}
