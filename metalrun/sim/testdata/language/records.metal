// Structures, unions, enumerations, bit fields and their initialisers.
#include <metal_stdlib>
using namespace metal;

struct Point { int x, y; };
struct Line { Point a, b; };
// want int 1 2 0 4
kernel void nested_braces(device int *out [[buffer(0)]]) { Line l = {{1, 2}, {0, 4}}; out[0] = l.a.x; out[1] = l.a.y; out[2] = l.b.x; out[3] = l.b.y; }
// want int 1 2 3 0
kernel void elided_braces(device int *out [[buffer(0)]]) { Line l = {1, 2, 3}; out[0] = l.a.x; out[1] = l.a.y; out[2] = l.b.x; out[3] = l.b.y; }
struct Defaults { int a = 5; float b = a * 2; int c{7}; };
// want int 5 10 7 9
kernel void default_members(device int *out [[buffer(0)]]) { Defaults d; out[0] = d.a; out[1] = d.b; out[2] = d.c; Defaults e = {1, 9}; out[3] = e.b; }
struct Built { int n; Built(int k) : n(k + 1) {} Built(int a, int b) : Built(a * b) {} explicit Built(float f) : n(int(f) - 1) {} };
// want int 4 7 1
kernel void constructors(device int *out [[buffer(0)]]) { Built a = 3; Built b(2, 3); Built c(2.5f); out[0] = a.n; out[1] = b.n; out[2] = c.n; }
union Word { uint u; float f; uchar b[4]; };
// want uint 1065353216 63 128
kernel void unions(device uint *out [[buffer(0)]]) { Word w; w.f = 1.0f; out[0] = w.u; out[1] = w.b[3]; out[2] = w.b[2]; }
struct Tagged { int kind; union { int i; float f; }; };
// want int 1 1073741824 8
kernel void anonymous_unions(device int *out [[buffer(0)]]) { Tagged t; t.kind = 1; t.f = 2.0f; out[0] = t.kind; out[1] = t.i; out[2] = sizeof(Tagged); }
enum Colour { red, green = 5, blue };
enum class Level : uchar { low = 1, high = 200 };
// want int 0 6 200 1
kernel void enumerations(device int *out [[buffer(0)]]) { Colour c = blue; out[0] = red; out[1] = c; out[2] = int(Level::high); out[3] = sizeof(Level); }
// want int 3 2
kernel void enum_arithmetic(device int *out [[buffer(0)]]) { out[0] = blue / 2; Colour c = Colour(green - 3); out[1] = c; }
struct Mixed { char c; float f; short s; };
struct Tight { char c; packed_float3 v; short s; };
struct Aligned { char c; float3 v; };
// want int 12 4 16 32 16
kernel void layouts(device int *out [[buffer(0)]]) { out[0] = sizeof(Mixed); out[1] = alignof(Mixed); out[2] = sizeof(Tight); out[2] = sizeof(Tight) - 4; out[3] = sizeof(Aligned); out[4] = alignof(Aligned); }
struct Bits { uint a : 3; uint b : 5; int c : 4; };
// want int 7 17 -8 4
kernel void bit_fields(device int *out [[buffer(0)]]) { Bits b; b.a = 15; b.b = 17; b.c = 8; out[0] = b.a; out[1] = b.b; out[2] = b.c; out[3] = sizeof(Bits); }
struct Acc { int total; void add(int x) thread { total += x; } int get() const thread { return total; } thread Acc &self() thread { return *this; } };
// want int 8
kernel void member_functions(device int *out [[buffer(0)]]) { Acc a = {1}; a.add(3); a.self().add(4); out[0] = a.get(); }
// want int 1 9 2
kernel void copies_are_separate(device int *out [[buffer(0)]]) { Point p = {1, 2}; Point q = p; q.x = 9; out[0] = p.x; out[1] = q.x; out[2] = q.y; }
Point swapped(Point p) { return {p.y, p.x}; }
// want int 2 1
kernel void returned_lists(device int *out [[buffer(0)]]) { Point p = swapped({1, 2}); out[0] = p.x; out[1] = p.y; }
struct Base { int a; int f() const { return a; } }; struct More : Base { int b; int f() const { return Base::f() * 10 + b; } };
// want int 12 1
kernel void inheritance(device int *out [[buffer(0)]]) { More m; m.a = 1; m.b = 2; out[0] = m.f(); thread Base &r = m; out[1] = r.f(); }
struct Grid { int cell[2][3]; };
// want int 6 24 5
kernel void arrays_in_structs(device int *out [[buffer(0)]]) { Grid g = {{{1, 2, 3}, {4, 5, 6}}}; Grid h = g; h.cell[1][2] = 0; out[0] = g.cell[1][2]; out[1] = sizeof(g); out[2] = h.cell[1][1]; }
struct Nest { struct In { int v; static int three() { return 3; } }; In in; enum { size = 4 }; };
// want int 3 4 6
kernel void nested_types(device int *out [[buffer(0)]]) { Nest n = {{6}}; out[0] = Nest::In::three(); out[1] = Nest::size; out[2] = n.in.v; }
// want int 3 4
kernel void through_device_pointers(device int *out [[buffer(0)]]) { device Point *p = (device Point *)out; p->x = 3; (*p).y = 4; }
struct Half2 { packed_half2 h; half t; };
// want half 1 2 3
kernel void packed_in_buffers(device half *out [[buffer(0)]]) { device Half2 *p = (device Half2 *)out; p->h = half2(1, 2); p->t = 3; }
// want int 3 2 1
kernel void structured_arrays(device int *out [[buffer(0)]]) { Point p[] = {{1, 2}, {3, 4}}; out[0] = p[1].x; out[1] = sizeof(p) / sizeof(p[0]); out[2] = p->x; }
struct Ref { thread int &r; void set(int v) const thread { r = v; } };
// want int 5
kernel void reference_members(device int *out [[buffer(0)]]) { int a = 1; Ref r = {a}; r.set(5); out[0] = a; }
struct Conv { int v; operator int() const { return v; } operator bool() const { return v > 10; } };
// want int 11 1 0
kernel void conversions(device int *out [[buffer(0)]]) { Conv c = {11}, d = {2}; out[0] = int(c); out[1] = bool(c); out[2] = bool(d); }
struct Rational { int n, d; bool operator<(Rational o) const { return n * o.d < o.n * d; } Rational operator*(Rational o) const { return {n * o.n, d * o.d}; } int operator[](int i) const { return i ? d : n; } Rational operator-() const { return {-n, d}; } };
// want int 1 3 8 -1
kernel void member_operators(device int *out [[buffer(0)]]) { Rational a = {1, 2}, b = {3, 4}; out[0] = a < b; out[1] = (a * b)[0]; out[2] = (a * b)[1]; out[3] = (-a).n; }
struct Step { int n; thread Step &operator++() thread { n += 2; return *this; } Step operator++(int) thread { Step s = *this; n += 2; return s; } };
// want int 3 3 5
kernel void increment_operators(device int *out [[buffer(0)]]) { Step s = {1}; out[0] = (++s).n; out[1] = (s++).n; out[2] = s.n; }
// want int 0 0 3
kernel void value_initialised(device int *out [[buffer(0)]]) { Point p{}; Point q = Point(); int a[3] = {1, 2}; out[0] = p.x + q.y; out[1] = a[2]; out[2] = a[0] + a[1]; }
typedef struct { int a; } Anonymous;
// want int 4
kernel void typedef_of_struct(device int *out [[buffer(0)]]) { Anonymous a; a.a = 4; out[0] = a.a; }
