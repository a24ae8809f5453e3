// A reference to a base that is bound to a value of a derived class denotes a part of the whole object, which a cast finds
// again: so the terms of an expression template know their operands.
// want 0 float 5 12 21 8
#include <metal_stdlib>
using namespace metal;

template <typename D> struct Term {
    const thread D& self() const thread { return static_cast<const thread D&>(*this); }
};
template <typename L, typename R> struct Sum : Term<Sum<L, R>> {
    L l;
    R r;
    Sum(const thread L& l, const thread R& r) : l(l), r(r) {}
    float operator[](int i) const { return l[i] + r[i]; }
};
template <typename L, typename R> struct Product : Term<Product<L, R>> {
    L l;
    R r;
    Product(const thread L& l, const thread R& r) : l(l), r(r) {}
    float operator[](int i) const { return l[i] * r[i]; }
};
struct Three : Term<Three> {
    float data[3];
    float operator[](int i) const { return data[i]; }
    template <typename E> thread Three& operator=(const thread Term<E>& e)
    {
        for (int i = 0; i < 3; i++) {
            data[i] = e.self()[i];
        }
        return *this;
    }
};
template <typename L, typename R> Sum<L, R> operator+(const thread Term<L>& a, const thread Term<R>& b) { return {a.self(), b.self()}; }
template <typename L, typename R> Product<L, R> operator*(const thread Term<L>& a, const thread Term<R>& b) { return {a.self(), b.self()}; }

struct Head { int h; };
struct Whole : Head { int w; };
Whole whole(int w) { Whole made; made.h = 1; made.w = w; return made; }
int last(const thread Head& head) { return static_cast<const thread Whole&>(head).w; }

kernel void f(device float* out [[buffer(0)]])
{
    Three a, b, c;
    for (int i = 0; i < 3; i++) {
        a.data[i] = i + 1;
        b.data[i] = i + 4;
    }
    c = a * b + a;
    for (int i = 0; i < 3; i++) {
        out[i] = c[i];
    }
    const thread Head& kept = whole(5);
    out[3] = last(whole(3)) + static_cast<const thread Whole&>(kept).w;
}
