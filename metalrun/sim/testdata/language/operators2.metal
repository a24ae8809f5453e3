// Overloaded operators in their forms, user-defined conversions, and which function a call means.
#include <metal_stdlib>
using namespace metal;

struct Vec {
    int x, y;
    Vec operator+(Vec o) const { return Vec{x + o.x, y + o.y}; }
    Vec operator-() const { return Vec{-x, -y}; }
    Vec operator!() const { return Vec{y, x}; }
    bool operator==(Vec o) const { return x == o.x && y == o.y; }
    bool operator!=(Vec o) const { return !(*this == o); }
    thread Vec &operator+=(Vec o) thread { x += o.x; y += o.y; return *this; }
    thread Vec &operator++() thread { ++x; ++y; return *this; }
    Vec operator++(int) thread { Vec old = *this; x++; y++; return old; }
    int operator[](int i) const { return i ? y : x; }
    int operator()(int a, int b) const { return a * x + b * y; }
    int operator()() const { return x * y; }
};
Vec operator*(Vec a, int k) { return Vec{a.x * k, a.y * k}; }
Vec operator*(int k, Vec a) { return a * (k + 100); }
int operator%(Vec a, Vec b) { return a.x * b.y - a.y * b.x; }
bool operator<(Vec a, Vec b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
Vec operator<<(Vec a, int n) { return Vec{a.x << n, a.y << n}; }
Vec operator,(Vec a, Vec b) { return Vec{a.x, b.y}; }
int operator&&(Vec a, Vec b) { return a.x * 10 + b.x; }
thread Vec &operator-=(thread Vec &a, Vec b) { a.x -= b.x; a.y -= b.y; return a; }
Vec operator~(Vec a) { return Vec{~a.x, ~a.y}; }
Vec operator--(thread Vec &a, int) { Vec old = a; a.x--; a.y--; return old; }

// want int 4 6
kernel void plus(device int *out [[buffer(0)]]) { Vec a = {1, 2}, b = {3, 4}; Vec c = a + b; out[0] = c.x; out[1] = c.y; }
// want int -1 -2 2 1
kernel void prefix(device int *out [[buffer(0)]]) { Vec a = {1, 2}; out[0] = (-a).x; out[1] = (-a).y; out[2] = (!a).x; out[3] = (!a).y; }
// want int 1 0 1
kernel void equality(device int *out [[buffer(0)]]) { Vec a = {1, 2}, b = {1, 2}; out[0] = a == b; out[1] = a != b; out[2] = a != -b; }
// want int 4 6 7 8
kernel void compound(device int *out [[buffer(0)]]) { Vec a = {1, 2}; a += Vec{3, 4}; out[0] = a.x; out[1] = a.y; (a += Vec{1, 1}) += Vec{2, 1}; out[2] = a.x; out[3] = a.y; }
// want int 2 1 2 2 3
kernel void increments(device int *out [[buffer(0)]]) { Vec a = {0, 1}; out[0] = (++a).y; out[1] = (a++).x; out[2] = a.x; Vec b = a--; out[3] = b.x; out[4] = b.y; }
// want int 5 6 17 30
kernel void subscript_and_call(device int *out [[buffer(0)]]) { Vec a = {5, 6}; out[0] = a[0]; out[1] = a[1]; out[2] = a(1, 2); out[3] = a(); }
// want int 3 6 103 206
kernel void scalar_on_either_side(device int *out [[buffer(0)]]) { Vec a = {1, 2}; out[0] = (a * 3).x; out[1] = (a * 3).y; out[2] = (3 * a).x; out[3] = (3 * a).y; }
// want int -2 1 0 4 8
kernel void free_operators(device int *out [[buffer(0)]]) { Vec a = {1, 2}, b = {3, 4}; out[0] = a % b; out[1] = a < b; out[2] = b < a; out[3] = (a << 2).x; out[4] = (a << 2).y; }
// want int 1 4 13 -2 -3
kernel void comma_and_logical(device int *out [[buffer(0)]]) { Vec a = {1, 2}, b = {3, 4}; Vec c = (a, b); out[0] = c.x; out[1] = c.y; out[2] = a && b; out[3] = (~a).x; out[4] = (~a).y; }
// want int -2 -2 -5 -6
kernel void compound_outside(device int *out [[buffer(0)]]) { Vec a = {1, 2}, b = {3, 4}; a -= b; out[0] = a.x; out[1] = a.y; a -= b; out[2] = a.x; out[3] = a.y; }
// want int 7 -3
kernel void called_by_name(device int *out [[buffer(0)]]) { Vec a = {3, 4}; out[0] = a.operator[](0) + a.operator[](1); out[1] = operator~(Vec{2, 2}).x; }
// want int 9 14
kernel void precedence_stays(device int *out [[buffer(0)]]) { Vec a = {1, 2}, b = {2, 3}; Vec c = a + b * 4; out[0] = c.x; out[1] = c.y; }

struct Meters {
    float v;
    operator float() const { return v; }
};
struct Flag {
    int bits;
    explicit operator bool() const { return bits != 0; }
};
struct Index {
    int i;
    operator int() const { return i; }
};
struct Ratio {
    int n, d;
    Ratio(int num) : n(num), d(1) {}
    Ratio(int num, int den) : n(num), d(den) {}
    explicit Ratio(float f) : n(int(f * 100)), d(100) {}
    template <typename T> explicit operator T() const { return T(n) / T(d); }
};
int numerator(Ratio r) { return r.n; }
int denominator(const thread Ratio &r) { return r.d; }
Ratio operator*(Ratio a, Ratio b) { return Ratio(a.n * b.n, a.d * b.d); }

// want float 2.5 5 3.5
kernel void implicit_conversion(device float *out [[buffer(0)]]) { Meters m = {2.5f}; float f = m; out[0] = f; out[1] = m * 2; out[2] = 1 + m; }
// want int 1 0 7 8
kernel void explicit_to_bool(device int *out [[buffer(0)]]) { Flag a = {3}, b = {0}; if (a) out[0] = 1; out[1] = bool(b); out[2] = b ? 6 : 7; out[3] = !b && a ? 8 : 9; }
// want int 30 3 20
kernel void conversion_in_subscripts(device int *out [[buffer(0)]]) { int a[4] = {10, 20, 30, 40}; Index i = {2}; out[0] = a[i]; out[1] = i + 1; switch (Index{1}) { case 1: out[2] = a[1]; break; default: out[2] = 0; } }
// want int 6 1 6 4
kernel void converting_constructors(device int *out [[buffer(0)]]) { out[0] = numerator(6); out[1] = denominator(6); Ratio r = Ratio(3, 4) * 2; out[2] = r.n; out[3] = r.d; }
// want float 0.75 0.5
kernel void explicit_conversion_templates(device float *out [[buffer(0)]]) { Ratio r(3, 4); out[0] = float(r); out[1] = static_cast<float>(Ratio(1, 2)); }
// want int 150 100 0
kernel void explicit_constructors(device int *out [[buffer(0)]]) { Ratio r(1.5f); out[0] = r.n; out[1] = r.d; out[2] = int(Ratio(3, 4)); }

int pick(int) { return 1; }
int pick(float) { return 2; }
int pick(long) { return 3; }
int pick(thread int *) { return 4; }
int pick(Vec) { return 5; }
template <typename T> int pick(T) { return 6; }
template <typename T> int pick(thread T *) { return 7; }

// want int 1 2 3 4 5
kernel void exact_matches(device int *out [[buffer(0)]]) { int i = 0; out[0] = pick(1); out[1] = pick(1.0f); out[2] = pick(1L); out[3] = pick(&i); out[4] = pick(Vec{0, 0}); }
// want int 6 6 7 6
kernel void templates_fit_better(device int *out [[buffer(0)]]) { float f = 0; short s = 0; out[0] = pick(s); out[1] = pick(1u); out[2] = pick(&f); out[3] = pick(true); }

int deep(int, float) { return 1; }
int deep(float, float) { return 2; }
int by_const(thread int &) { return 1; }
int by_const(const thread int &) { return 2; }
int many(int a, int b = 10, int c = 100) { return a + b + c; }
int rest(int a) { return a; }
int rest(int a, int b) { return a * b; }
namespace left { struct T { int v; }; int twice(T t) { return t.v * 2; } int both(int a) { return a; } }
namespace right { int both(float) { return 7; } }
using left::both;
using right::both;

// want int 1 2 1
kernel void fewer_conversions(device int *out [[buffer(0)]]) { out[0] = deep(1, 2); out[1] = deep(1.0f, 2); out[2] = deep('a', 1.0f); }
// want int 1 2 2
kernel void const_is_worse(device int *out [[buffer(0)]]) { int i = 0; const int j = 1; out[0] = by_const(i); out[1] = by_const(j); out[2] = by_const(5); }
// want int 111 103 6
kernel void default_arguments(device int *out [[buffer(0)]]) { out[0] = many(1); out[1] = many(1, 2); out[2] = many(1, 2, 3); }
// want int 5 30
kernel void by_count(device int *out [[buffer(0)]]) { out[0] = rest(5); out[1] = rest(5, 6); }
// want int 8 3 7
kernel void by_namespace_of_the_argument(device int *out [[buffer(0)]]) { left::T t = {4}; out[0] = twice(t); out[1] = both(3); out[2] = both(3.0f); }

struct Base { int f(int) { return 1; } int g() { return 4; } };
struct Derived : Base { int f(float) { return 2; } };
struct Joined : Base { using Base::f; int f(float) { return 3; } };

// want int 2 1 1 3 4
kernel void hiding_and_joining(device int *out [[buffer(0)]]) { Derived d; Joined j; out[0] = d.f(1); out[1] = d.Base::f(1); out[2] = j.f(1); out[3] = j.f(1.0f); out[4] = d.g(); }
struct Access { int v; int get() { return v; } int get() const { return v + 100; } };
// want int 5 105
kernel void by_const_of_the_object(device int *out [[buffer(0)]]) { Access a = {5}; const Access b = {5}; out[0] = a.get(); out[1] = b.get(); }
struct Smart { thread Vec *p; thread Vec *operator->() const { return p; } thread Vec &operator*() const { return *p; } };
// want int 8 9 8
kernel void pointer_like(device int *out [[buffer(0)]]) { Vec v = {8, 9}; Smart s = {&v}; out[0] = s->x; out[1] = (*s).y; (*s).y = s->x; out[2] = v.y; }

struct Slot { device int *at; thread const Slot &operator=(int v) const { *at = v; return *this; } operator int() const { return *at; } };
struct Any { int v; template <typename U> thread Any &operator=(U u) { v = int(u) + 100; return *this; } };
struct Twice { int v; thread Twice &operator=(const thread Twice &o) { v = o.v * 2; return *this; } thread Twice &operator=(int x) { v = -x; return *this; } };
struct Made { int v; Made(int v) : v(v) {} thread Made &operator=(half h) { v = int(h) + 7; return *this; } };
struct Maker { operator Made() const { return Made(55); } };
static Slot slot(device int *p) { return Slot{p}; }

// An object is assigned to another of its class member by member, whatever other operators that has, unless one is for that.
// want int 5 7 9
kernel void members_of_a_reference(device int *out [[buffer(0)]]) { Slot a{out}, b{out + 1}; a = 5; b = 7; a = b; slot(out) = b; slot(out + 2) = 9; }
// want int 101 101 102 8 -3
kernel void members_beside_other_operators(device int *out [[buffer(0)]]) { Any a, b; a = 1; b = 2.5f; out[2] = b.v; b = a; out[0] = b.v; const Any c = a; b = c; out[1] = b.v; Twice t{3}, u{4}; t = u; out[3] = t.v; t = 3; out[4] = t.v; }
// want int 2 10 55
kernel void members_after_a_conversion(device int *out [[buffer(0)]]) { Made a(1), b(2); a = b; out[0] = a.v; a = 3; out[1] = a.v; a = Maker(); out[2] = a.v; }
