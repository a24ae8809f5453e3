// Constructors may be overloaded by the address space of the object: those of a thread make values.
// want 0 int 3 4 8
#include <metal_stdlib>
using namespace metal;

struct S {
    int a;
    constexpr S() thread : a(3) {}
    constexpr S() threadgroup : a(9) {}
    template <typename U> constexpr S(U x) thread : a(int(x)) {}
    template <typename U> constexpr S(U x) device : a(-int(x)) {}
    constexpr operator int() const thread { return a; }
};
kernel void f(device int* a [[buffer(0)]])
{
    S s;
    S t(4.5f);
    a[0] = s.a;
    a[1] = t.a;
    a[2] = S(5) + s;
}
