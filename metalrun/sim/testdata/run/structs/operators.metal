// Operators of a struct: (1+2i)(3+4i) = -5+10i, plus 1+2i.
// want 0 float -5 10 -4 12 1
#include <metal_stdlib>
using namespace metal;

struct Complex {
    float re, im;
    Complex operator+(Complex o) const { return {re + o.re, im + o.im}; }
    bool operator==(Complex o) const { return re == o.re && im == o.im; }
};
static Complex operator*(Complex u, Complex v) { return {u.re * v.re - u.im * v.im, u.re * v.im + u.im * v.re}; }
kernel void f(device float* a [[buffer(0)]])
{
    Complex u = {1, 2}, v = {3, 4};
    Complex p = u * v;
    a[0] = p.re;
    a[1] = p.im;
    Complex s = u * v + u;
    a[2] = s.re;
    a[3] = s.im;
    a[4] = p == v * u;
}
