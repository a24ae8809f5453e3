// Constructors of bases, loops over classes, members for lvalues and rvalues, the comma as a function.
#include <metal_stdlib>
using namespace metal;

struct Number {
    int v;
    Number() : v(1) {}
    Number(int x) : v(x) {}
    explicit Number(float f, int scale = 10) : v(int(f) * scale) {}
    template <typename T> Number(T a, T b, T c) : v(a + b + c) {}
};
struct Named : Number { using Number::Number; int w = 5; };
template <typename T> struct Held { T t; Held(T x) : t(x) {} };
template <typename T> struct Again : Held<T> { using Held<T>::Held; int get() const { return this->t * 2; } };

// want int 7 5 20 1 6 8 15
kernel void constructors_of_a_base(device int *out [[buffer(0)]])
{
    Named a(7), b(2.5f), c, d(1, 2, 3), e(5.0f, 3);
    Again<int> f(4);
    out[0] = a.v;
    out[1] = a.w;
    out[2] = b.v;
    out[3] = c.v;
    out[4] = d.v;
    out[5] = f.get();
    out[6] = e.v;
}

struct Iterator {
    thread int *p;
    thread int &operator*() const { return *p; }
    thread Iterator &operator++() { ++p; return *this; }
    bool operator!=(Iterator o) const { return p != o.p; }
};
struct Range {
    int a[4];
    Iterator begin() { return {a}; }
    Iterator end() { return {a + 4}; }
};
struct Count { int at; int operator*() const { return at; } thread Count &operator++() { at++; return *this; } bool operator!=(Count o) const { return at != o.at; } };
struct Upto { int n; };
Count begin(Upto) { return {0}; }
Count end(Upto u) { return {u.n}; }

// want int 1234 20 3 8
kernel void loops_over_classes(device int *out [[buffer(0)]])
{
    Range r = {{1, 2, 3, 4}};
    int s = 0;
    for (int x : r)
        s = s * 10 + x;
    out[0] = s;
    for (thread int &x : r)
        x *= 2;
    out[1] = r.a[0] + r.a[1] + r.a[2] + r.a[3];
    s = 0;
    for (auto i : Upto{3})
        s += i;
    out[2] = s;
    for (const auto i : Upto{9}) {
        if (i % 2)
            continue;
        s = i;
    }
    out[3] = s;
}

struct Qualified {
    int v;
    int which() & { return 1; }
    int which() && { return 2; }
    int which() const & { return 3; }
    int rvalue() && { return v; }
    int later() const &;
};
int Qualified::later() const & { return v + 5; }
struct Anything { template <typename T> operator T() && { return T {}; } };

// want int 1 2 3 4 12 4 0
kernel void members_for_lvalues_and_rvalues(device int *out [[buffer(0)]])
{
    Qualified q{7};
    const Qualified c{8};
    out[0] = q.which();
    out[1] = Qualified{1}.which();
    out[2] = c.which();
    out[3] = Qualified{4}.rvalue();
    out[4] = q.later();
    out[5] = out[0] > 0 ? out[3] : Anything();
    float3 v = Anything();
    out[6] = int(v.x);
}

struct Digits { int v; Digits operator,(Digits o) const { return {v * 10 + o.v}; } };

// want int 12 3
kernel void comma(device int *out [[buffer(0)]])
{
    Digits a{1}, b{2};
    out[0] = (a, b).v;
    out[1] = (a, 3);
}

template <typename R, typename A> R convert(A a) { return R(a); }
template <> float convert(half a) { return 5; }
template <> half convert(half a) { return 6; }
template <typename T> int special(T) { return 1; }
template <typename T> int special(thread T *) { return 2; }
template <> int special(thread int *) { return 3; }

// want int 5 6 1 3 2 1
kernel void results_and_order_choose_what_is_specialised(device int *out [[buffer(0)]])
{
    int x = 0;
    float y;
    out[0] = convert<float>(1.0h);
    out[1] = convert<half>(1.0h);
    out[2] = convert<int>(1.0h);
    out[3] = special(&x);
    out[4] = special(&y);
    out[5] = special(x);
}
