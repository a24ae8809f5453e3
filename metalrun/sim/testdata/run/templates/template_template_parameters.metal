// A template as the argument of a template: given and deduced.
// want 0 int 6 7 2
#include <metal_stdlib>
using namespace metal;

template <typename T> struct Once { T x; int n() const { return int(x); } };
template <typename T> struct Twice { T x; int n() const { return int(x + x); } };
template <template <typename> class W, typename T> int wrap(T x) { W<T> w = {x}; return w.n(); }
template <template <typename> class W, typename T> int size(W<T> w) { return int(sizeof(T)); }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = wrap<Twice>(3.0f);
    a[1] = wrap<Once>(7);
    a[2] = size(Once<half>{1.0h});
}
