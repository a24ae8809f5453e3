// Objects: layout, unions, bit-fields, nested classes, arrays, pointers, references, namespaces, initialisation order.
#include <metal_stdlib>
using namespace metal;

struct A1 { char c; int i; };
struct A2 { char c; short s; char d; long l; };
struct A3 { float3 v; char c; };
struct A4 { packed_float3 v; char c; };
struct A5 { bool b; half h; float2 f; };
struct Empty {};
struct WithEmpty : Empty { char c; };
struct HoldsEmpty { Empty e; char c; };
union U1 { char c; int i; float f; };
union U2 { uchar b[8]; ulong l; struct { uint lo, hi; }; };

// want int 8 16 32 16 16
kernel void sizes(device int *out [[buffer(0)]]) { out[0] = sizeof(A1); out[1] = sizeof(A2); out[2] = sizeof(A3); out[3] = sizeof(A4); out[4] = sizeof(A5); }
// want int 4 8 16 4 8
kernel void alignments(device int *out [[buffer(0)]]) { out[0] = alignof(A1); out[1] = alignof(A2); out[2] = alignof(A3); out[3] = alignof(A4); out[4] = alignof(A5); }
// want int 1 1 2 4 8
kernel void empty_and_unions(device int *out [[buffer(0)]]) { out[0] = sizeof(Empty); out[1] = sizeof(WithEmpty); out[2] = sizeof(HoldsEmpty); out[3] = sizeof(U1); out[4] = sizeof(U2); }
// want int 1 2 513 1065353216 67305985
kernel void union_views(device int *out [[buffer(0)]]) { U2 u; u.l = 0x0000000000000201ul; out[0] = u.b[0]; out[1] = u.b[1]; out[2] = u.lo; U1 v; v.f = 1.0f; out[3] = v.i; for (int i = 0; i < 4; i++) u.b[i] = i + 1; out[4] = u.lo; }

struct Bits { uint a : 3; uint b : 5; int c : 4; uint d : 20; };
struct Gap { uchar a : 4; uchar : 0; uchar b : 4; };
struct Wide { ulong a : 40; ulong b : 24; };
// want int 5 31 -8 1048575 4
kernel void bit_fields(device int *out [[buffer(0)]]) { Bits b; b.a = 13; b.b = 63; b.c = 8; b.d = 0xffffffff; out[0] = b.a; out[1] = b.b; out[2] = b.c; out[3] = b.d; out[4] = sizeof(Bits); }
// want int 2 8 255 1
kernel void bit_field_units(device int *out [[buffer(0)]]) { out[0] = sizeof(Gap); out[1] = sizeof(Wide); Wide w; w.a = 0xfffffffffful; w.b = 1; out[2] = int(w.a >> 32); out[3] = int(w.b); }
// want int 7 0 3 6
kernel void bit_fields_compute(device int *out [[buffer(0)]]) { Bits b = {7, 1, -1, 6}; out[0] = b.a++; out[1] = b.a; b.b += 2; out[2] = b.b; b.d ^= 0; out[3] = b.d; }

struct Outer {
    int v;
    struct Inner { int v; struct Core { int v; }; Core core; };
    enum Level { low = 1, high = 2 };
    typedef int Number;
    static constant constexpr int limit = 77;
    Inner inner;
    Inner::Core deepest() const { return inner.core; }
    static int twice(int x) { return 2 * x; }
    Number scaled(Level l) const { return v * l; }
};
int Outer_free(Outer::Inner i) { return i.v; }
// want int 3 2 77 10 8
kernel void nested_classes(device int *out [[buffer(0)]]) { Outer o = {4, {2, {3}}}; out[0] = o.deepest().v; out[1] = Outer_free(o.inner); out[2] = Outer::limit; out[3] = Outer::twice(5); out[4] = o.scaled(Outer::high); }

struct Count { int n; int bump(); int peek() const; static int zero(); };
int Count::bump() { return ++n; }
int Count::peek() const { return n; }
int Count::zero() { return 0; }
// want int 6 6 0
kernel void members_outside(device int *out [[buffer(0)]]) { Count c = {5}; out[0] = c.bump(); out[1] = c.peek(); out[2] = Count::zero(); }

struct Order { int a = 1; int b = a + 1; int c; Order() : c(b * 10) {} Order(int x) : a(x), c(a + b) {} };
struct Delegating { int a, b; Delegating(int x, int y) : a(x), b(y) {} Delegating(int x) : Delegating(x, x * 2) { b++; } };
struct Ref { thread int &r; int twice() const { return r * 2; } };
// want int 1 2 20 5 6 11
kernel void members_initialise_in_order(device int *out [[buffer(0)]]) { Order o; out[0] = o.a; out[1] = o.b; out[2] = o.c; Order p(5); out[3] = p.a; out[4] = p.b; out[5] = p.c; }
// want int 4 9
kernel void delegation(device int *out [[buffer(0)]]) { Delegating d(4); out[0] = d.a; out[1] = d.b; }
// want int 6 8
kernel void reference_members(device int *out [[buffer(0)]]) { int i = 3; Ref r = {i}; out[0] = r.twice(); r.r = 4; out[1] = i * 2; }

struct Grand { int g = 1; int who() const { return 1; } };
struct Parent : Grand { int p = 2; int who() const { return 10 + Grand::who(); } };
struct Child : Parent { int c = 3; int who() const { return 100 + Parent::who(); } int all() const { return g + p + c; } };
struct Left { int x = 5; }; struct Right { int y = 6; };
struct Two : Left, Right { int sum() const { return x + y; } };
int as_right(const thread Right &r) { return r.y; }
// want int 111 6 11 1
kernel void inheritance(device int *out [[buffer(0)]]) { Child c; out[0] = c.who(); out[1] = c.all(); thread Parent &p = c; out[2] = p.who(); out[3] = c.Grand::who(); }
// want int 11 6 60
kernel void several_bases(device int *out [[buffer(0)]]) { Two t; out[0] = t.sum(); out[1] = as_right(t); thread Right *r = &t; r->y = 60; out[2] = t.y; }

// want int 1 6 3 5 21
kernel void arrays_of_arrays(device int *out [[buffer(0)]]) { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; out[0] = a[0][0]; out[1] = a[1][2]; thread int *p = a[0]; out[2] = p[2]; thread int (*row)[3] = &a[1]; out[3] = (*row)[1]; int s = 0; for (thread auto &r : a) for (int v : r) s += v; out[4] = s; }
// want int 1 0 0 7 0
kernel void missing_initialisers_are_zero(device int *out [[buffer(0)]]) { int a[3] = {1}; int b[2][2] = {{0, 7}}; out[0] = a[0]; out[1] = a[1]; out[2] = a[2]; out[3] = b[0][1]; out[4] = b[1][1]; }
// want int 3 2 4 1
kernel void pointer_arithmetic(device int *out [[buffer(0)]]) { int a[5] = {1, 2, 3, 4, 5}; thread int *p = a + 2, *q = &a[4]; out[0] = *p; out[1] = int(q - p); out[2] = *--q; out[3] = p < q; }
// want int 2 9 9 2
kernel void pointers_to_pointers(device int *out [[buffer(0)]]) { int a = 1, b = 2; thread int *p = &a; thread int *thread *pp = &p; *pp = &b; out[0] = *p; **pp = 9; out[1] = b; out[2] = **pp; out[3] = int(sizeof(pp)) / 4; }
void swap_them(thread int &a, thread int &b) { int t = a; a = b; b = t; }
thread int &pick_larger(thread int &a, thread int &b) { return a > b ? a : b; }
void fill(thread int (&a)[3], int v) { for (int i = 0; i < 3; i++) a[i] = v + i; }
// want int 2 1 0 7 8 9
kernel void references(device int *out [[buffer(0)]]) { int a = 1, b = 2; swap_them(a, b); out[0] = a; out[1] = b; pick_larger(a, b) = 0; out[2] = a; int v[3]; fill(v, 7); for (int i = 0; i < 3; i++) out[3 + i] = v[i]; }

namespace one { int f() { return 1; } namespace two { int f() { return 12; } int g() { return f() + one::f(); } } }
namespace one { int h() { return two::f() + f(); } }
namespace { int hidden() { return 33; } }
inline namespace current { int versioned() { return 2; } }
namespace old { int versioned() { return 1; } }
namespace short_one = one::two;
int f() { return 99; }
// want int 1 13 13 99 12
kernel void namespaces(device int *out [[buffer(0)]]) { out[0] = one::f(); out[1] = one::two::g(); out[2] = one::h(); out[3] = ::f(); out[4] = short_one::f(); }
// want int 33 2 1 12
kernel void unnamed_and_inline(device int *out [[buffer(0)]]) { out[0] = hidden(); out[1] = versioned(); out[2] = old::versioned(); using one::two::f; out[3] = f(); }

int plus_one(int x) { return x + 1; }
int times_two(int x) { return x * 2; }
typedef int (*Step)(int);
struct Entry { Step step; int count; };
int repeat(Step s, int n, int x) { while (n-- > 0) x = s(x); return x; }
Step choose(bool b) { return b ? plus_one : times_two; }
// want int 5 16 8 6
kernel void function_pointers(device int *out [[buffer(0)]]) { out[0] = repeat(plus_one, 3, 2); out[1] = repeat(times_two, 3, 2); Step table[2] = {plus_one, times_two}; out[2] = table[1](4); out[3] = choose(true)(5); }
// want int 40 1 0
kernel void function_pointers_in_objects(device int *out [[buffer(0)]]) { Entry e = {times_two, 3}; out[0] = repeat(e.step, e.count, 5); out[1] = e.step == &times_two; out[2] = e.step == plus_one; }
struct Plain { int a; float b; int c[2]; };
Plain make(int n) { Plain p = {n, n * 0.5f, {n, n + 1}}; return p; }
// want int 4 2 5 4
kernel void objects_by_value(device int *out [[buffer(0)]]) { Plain p = make(4), q = p; q.c[1] = 50; out[0] = p.a; out[1] = int(p.b); out[2] = p.c[1]; out[3] = make(3).c[1]; }
// want int 0 0 3 9
kernel void empty_braces(device int *out [[buffer(0)]]) { Plain p = {}; out[0] = p.a; out[1] = p.c[1]; p = Plain{3}; out[2] = p.a; p = {8, 1.0f, {9}}; out[3] = p.c[0]; }
// want int 1 5 4
kernel void designators(device int *out [[buffer(0)]]) { Plain p = {.a = 1, .c = {4, 5}}; out[0] = p.a; out[1] = p.c[1]; out[2] = p.c[0]; }
