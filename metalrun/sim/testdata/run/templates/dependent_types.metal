// Types that depend on a parameter, by typename and by alias.
// want 0 float 1.5 4 2
#include <metal_stdlib>
using namespace metal;

template <typename T> struct Accumulator {
    using type = float;
};
template <> struct Accumulator<int> {
    using type = long;
};
template <typename T> static typename Accumulator<T>::type widen(T x)
{
    using A = typename Accumulator<T>::type;
    A r = x;
    return r;
}
kernel void f(device float* a [[buffer(0)]])
{
    a[0] = widen(1.5h);
    a[1] = sizeof(widen(1.5h));
    a[2] = sizeof(widen(1)) / 4;
}
