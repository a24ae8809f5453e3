// Members that are templates, of a struct that is one.
// want 0 float 7 3
#include <metal_stdlib>
using namespace metal;

template <typename T> struct Box {
    T v;
    template <typename U> U as() const { return U(v); }
    template <int N> T times() const { return v * N; }
};
kernel void f(device float* a [[buffer(0)]])
{
    Box<float> b = {3.5f};
    a[0] = b.times<2>();
    a[1] = b.as<int>();
}
