// Structs, unions, nested types, bases, bit-fields and bindings.
#include <metal_stdlib>
using namespace metal;

struct Bits { uint a : 3; uint b : 5; uint c : 24; };

// want uint 5 17 1000 4
kernel void bit_fields(device uint *out [[buffer(0)]])
{
    Bits s = {5, 17, 1000};
    out[0] = s.a;
    out[1] = s.b;
    out[2] = s.c;
    out[3] = sizeof(Bits);
}

// want uint 1 31 0
kernel void bit_fields_wrap(device uint *out [[buffer(0)]])
{
    Bits s = {};
    s.a = 9;
    s.b -= 1;
    out[0] = s.a;
    out[1] = s.b;
    out[2] = s.c;
}

struct Signed { int a : 4; int b : 4; };

// want int -8 7 4
kernel void signed_bit_fields(device int *out [[buffer(0)]])
{
    Signed s{8, 7};
    out[0] = s.a;
    out[1] = s.b;
    out[2] = sizeof(Signed);
}

struct Straddle { uint a : 20; uint b : 20; uint : 0; uchar c : 1; ushort d : 9; };

// want int 12 3 511
kernel void bit_field_layout(device int *out [[buffer(0)]])
{
    Straddle s{1, 3, 1, 511};
    out[0] = sizeof(Straddle);
    out[1] = s.b;
    out[2] = s.d;
}

// want uint 0x1f4
kernel void bit_fields_in_memory(device uint *out [[buffer(0)]])
{
    device Bits *p = (device Bits *)out;
    out[0] = 0;
    p->a = 4;
    p->b = 30;
    p->c += 1;
}

union Word { float f; uint u; uchar b[4]; ushort2 h; };

// want uint 0x3f800000 0x3f 0x3f80
kernel void unions(device uint *out [[buffer(0)]])
{
    Word w;
    w.f = 1.0f;
    out[0] = w.u;
    out[1] = w.b[3];
    out[2] = w.h.y;
}

struct Outer
{
    struct Inner { int v; int twice() const { return 2 * v; } };
    enum Kind { small, big = 5 };
    enum class Mode : uchar { on = 1, off };
    using Pair = vec<int, 2>;
    Inner in[2];
    union { int i; float f; };
    struct { int p, q; } named;
    static constexpr int limit() { return 3; }
};

// want int 8 5 2 7 1 3 9
kernel void nested(device int *out [[buffer(0)]])
{
    Outer o = {};
    o.in[1].v = 4;
    o.i = 7;
    o.named.q = 9;
    out[0] = o.in[1].twice();
    out[1] = Outer::big;
    out[2] = int(Outer::Mode::off);
    out[3] = o.i;
    Outer::Pair p(1, 2);
    out[4] = p.x;
    out[5] = Outer::limit();
    out[6] = o.named.q;
}

struct Base { int a; int get() const { return a; } static int one() { return 1; } };
struct Middle : Base { int b = 2; int sum() const { return a + b; } };
struct Derived : public Middle { int c; int get() const { return Base::get() + 10 * c; } };

// want int 5 35 7 1
kernel void bases(device int *out [[buffer(0)]])
{
    Derived d;
    d.a = 5;
    d.c = 3;
    thread Base &b = d;
    out[0] = b.get();
    out[1] = d.get();
    out[2] = d.sum();
    out[3] = Derived::one();
}

struct Pair { int a; float b; };
Pair make() { return {3, 2.5f}; }

// want int 3 5
kernel void bindings(device int *out [[buffer(0)]])
{
    auto [a, b] = make();
    out[0] = a;
    out[1] = int(2 * b);
}

// want int 9 2 7
kernel void bindings_by_reference(device int *out [[buffer(0)]])
{
    int v[2] = {1, 2};
    auto &[x, y] = v;
    x = 9;
    out[0] = v[0];
    out[1] = y;
    Pair p{7, 0};
    const auto [i, f] = p;
    out[2] = i + int(f);
}

struct Init
{
    int a = 3, b{4};
    int c[3] = {1, 2, 3};
    int d = a + b;
};

// want int 3 4 2 7 9
kernel void member_initialisers(device int *out [[buffer(0)]])
{
    Init i;
    out[0] = i.a;
    out[1] = i.b;
    out[2] = i.c[1];
    out[3] = i.d;
    Init j{5};
    out[4] = j.d;
}

struct Ctor
{
    int n;
    Ctor() : Ctor(5) {}
    Ctor(int k) : n(k) { n += 1; }
    Ctor(float f) : n{int(f)} {}
    explicit Ctor(bool) : n(-1) {}
};

// want int 6 3 2 -1
kernel void constructors(device int *out [[buffer(0)]])
{
    Ctor a, b(2), c = 2.5f, d{true};
    out[0] = a.n;
    out[1] = b.n;
    out[2] = c.n;
    out[3] = d.n;
}

struct Fwd;
int reader(thread const Fwd &);
struct Fwd { int v; };
int reader(thread const Fwd &f) { return f.v; }

// want int 12
kernel void forward_declared(device int *out [[buffer(0)]])
{
    Fwd f{12};
    out[0] = reader(f);
}

struct Late
{
    int f() const;
    int g() const { return f() + k; }
    static int h(int);
    int k = 1;
    template <typename T> T as() const;
};
int Late::f() const { return 40 + k; }
int Late::h(int n) { return n * 3; }
template <typename T> T Late::as() const { return T(k) / 2; }

// want int 42 9
kernel void defined_outside(device int *out [[buffer(0)]])
{
    Late l;
    out[0] = l.g();
    out[1] = Late::h(3) + int(l.as<float>());
}

struct Chain { int v = 0; thread Chain &add(int n) { v += n; return *this; } };

// want int 6
kernel void chained(device int *out [[buffer(0)]])
{
    Chain c;
    out[0] = c.add(1).add(2).add(3).v;
}

class Hidden { int x; public: Hidden(int v) : x(v) {} int get() const { return x; } private: int y; };

// want int 4
kernel void classes(device int *out [[buffer(0)]]) { out[0] = Hidden(4).get(); }

struct alignas(16) Wide { int a; };
struct Holder { char c; alignas(8) int v; };
struct __attribute__((packed)) Tight { char c; int v; };

// want int 16 16 16 8 5
kernel void alignment(device int *out [[buffer(0)]])
{
    out[0] = sizeof(Wide);
    out[1] = alignof(Wide);
    out[2] = sizeof(Holder);
    out[3] = alignof(Holder);
    out[4] = sizeof(Tight);
}

struct Node { int v; device Node *next; };
struct Views { device int *p; constant float *q; threadgroup half *t; };

// want int 16 24
kernel void pointers_inside(device int *out [[buffer(0)]])
{
    out[0] = sizeof(Node);
    out[1] = sizeof(Views);
}

typedef struct { int x; int y; } Point;
typedef struct Tagged { int z; } Tagged;

// want int 7 8
kernel void typedefs(device int *out [[buffer(0)]])
{
    Point p = {.x = 3, .y = 4};
    struct Tagged t = {8};
    out[0] = p.x + p.y;
    out[1] = t.z;
}

struct Grid { int v[2][3]; };

// want int 6 24
kernel void arrays_of_arrays(device int *out [[buffer(0)]])
{
    Grid g = {{{1, 2, 3}, {4, 5, 6}}}, h = g;
    out[0] = h.v[1][2];
    out[1] = sizeof(h);
}

typedef struct Link link_t;
struct Hook { device struct Behind *behind; int v; };
struct Link { int v; device link_t *next; };
struct Behind { int x; };
static int own(thread struct Hook *c) { return c->v; }
// want int 3 8 4
kernel void classes_named_before_their_declaration(device int *out [[buffer(0)]])
{
    link_t l = {3, nullptr};
    Hook c = {nullptr, 4};
    out[0] = l.v;
    out[1] = sizeof(c.behind);
    out[2] = own(&c);
}

struct Narrow { uint a : 3; uint b : 20; };

// A bit-field that int can hold is an int in arithmetic, in every operator.
// want int 1 1 1 1 -1
kernel void bit_fields_as_int(device int *out [[buffer(0)]]) { Narrow n = {5, 100}; out[0] = -n.a < 0; out[1] = ~n.b < 0; out[2] = (out[0] ? n.a : -1) - 6 < 0; out[3] = +n.b - 101 < 0; out[4] = (n.a << 30) >> 30 | -1; }
