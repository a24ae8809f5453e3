#include <metal_stdlib>
using namespace metal;

struct Base { int n; int twice() const { return n * 2; } static constexpr constant int id = 7; };
struct Derived : Base { int m; int all() const { return twice() + m; } };
struct True { static constexpr constant bool value = true; };
struct Trait : True {};
static_assert(Trait::value, "Trait");
int read(Base b) { return b.n; }
kernel void inheritance(device int* out [[buffer(0)]])
{
    Derived d;
    d.n = 1;
    d.m = 2;
    out[0] = d.all();
    out[1] = Derived::id;
    out[2] = read(d);
}
