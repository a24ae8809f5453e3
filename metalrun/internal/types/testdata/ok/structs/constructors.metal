#include <metal_stdlib>
using namespace metal;

struct Complex {
    float re, im;
    Complex() : re(0), im(0) {}
    Complex(float r) : re(r), im(0) {}
    Complex(float r, float i) : re(r), im(i) {}
    Complex operator+(Complex o) const { return Complex(re + o.re, im + o.im); }
    Complex operator*(const thread Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    Complex operator-() const { return Complex(-re, -im); }
    thread Complex& operator+=(Complex o) { re += o.re; im += o.im; return *this; }
    bool operator==(Complex o) const { return re == o.re && im == o.im; }
    explicit operator float() const { return re; }
};
Complex operator-(Complex a, Complex b) { return a + -b; }
kernel void constructors(device float* out [[buffer(0)]])
{
    Complex a;
    Complex b(1);
    Complex c = Complex(2, 3);
    Complex d{4, 5};
    Complex e = 6.0f;
    a += b * c + d - e;
    a = a + 1.0f;
    out[0] = a.re;
    out[1] = a.im;
    out[2] = a == b ? 1 : 0;
    out[3] = float(c);
    out[4] = (-a).re;
    Complex list[3];
    out[5] = list[2].im;
    Complex z = Complex();
    out[6] = z.re;
}
