// Where bodies look names up: explicit specialisations at their own place, templates at their definition, and names that
// depend on parameters where they are used, by the namespaces of the arguments.
#include <metal_stdlib>
using namespace metal;

template <typename R, typename A> R twice(A a);
struct P { float x; };
float plus(float v) { return v + v; }
template <> P twice(P a) { P c; c.x = plus(a.x); return c; }
// want float 5
kernel void specialisation_sees_later_types(device float *out [[buffer(0)]]) { P p; p.x = 2.5f; out[0] = twice<P, P>(p).x; }

template <typename T> int grade(T) { return 1; }
constant int later = 40;
template <> int grade<half>(half) { return later + 2; }
template <> int grade(char) { return grade(1.0h) + 1; }
// want int 1 42 43
kernel void specialisation_sees_later_constants(device int *out [[buffer(0)]]) { out[0] = grade(1); out[1] = grade(1.0h); out[2] = grade(char(1)); }

template <typename T> int promised(T);
template <> int promised(int);
int calls_promised() { return promised(3); }
int after_promise(int x) { return x * 7; }
template <> int promised(int x) { return after_promise(x); }
// want int 21
kernel void declared_then_defined(device int *out [[buffer(0)]]) { out[0] = calls_promised(); }

template <typename T> struct Box { T v; int tag() const { return 1; } T doubled() const; static int kind(); };
struct Coin { int c; };
int worth(Coin c) { return c.c * 100; }
template <> struct Box<Coin> { Coin v; int tag() const { return worth(v); } int later_tag() const; };
int worth_twice(Coin c) { return 2 * worth(c); }
int Box<Coin>::later_tag() const { return worth_twice(v); }
// want int 1 300 600
kernel void members_of_specialised_class(device int *out [[buffer(0)]]) { Box<int> b = {5}; Box<Coin> c = {{3}}; out[0] = b.tag(); out[1] = c.tag(); out[2] = c.later_tag(); }

template <typename T> T Box<T>::doubled() const { return v + v; }
int helper_of_member() { return 9; }
template <> int Box<short>::tag() const { return helper_of_member(); }
template <typename T> int Box<T>::kind() { return 4; }
template <> int Box<half>::kind() { return helper_of_member() + 1; }
// want int 9 6 4 10
kernel void specialised_members(device int *out [[buffer(0)]]) { Box<short> b = {3}; out[0] = b.tag(); out[1] = b.doubled(); out[2] = Box<int>::kind(); out[3] = Box<half>::kind(); }

template <typename T, int N> struct Pair2 { static int f() { return N; } };
struct Marker { };
int of_marker() { return 77; }
template <int N> struct Pair2<Marker, N> { static int f() { return of_marker() + N; } };
template <typename T> struct Pair2<thread T *, 1> { static int f() { return of_marker() + 100 + sizeof(T); } };
// want int 3 80 179
kernel void partial_specialisations(device int *out [[buffer(0)]]) { out[0] = Pair2<int, 3>::f(); out[1] = Pair2<Marker, 3>::f(); out[2] = Pair2<thread short *, 1>::f(); }

template <typename T> struct Count { static constexpr constant int value = 1; };
constexpr constant int big = 512;
template <> struct Count<Marker> { static constexpr constant int value = big / 2; };
template <typename T> constexpr constant int size_of_thing = 3;
constexpr constant int special_size = 11;
template <> constexpr constant int size_of_thing<Marker> = special_size;
// want int 1 256 3 11
kernel void static_members_and_variables(device int *out [[buffer(0)]]) { out[0] = Count<int>::value; out[1] = Count<Marker>::value; out[2] = size_of_thing<int>; out[3] = size_of_thing<Marker>; }

namespace library { template <typename T> int id(T) { return 1; } int inside() { return 30; } }
template <> int library::id(Marker) { return inside() + 5; }
// want int 1 35
kernel void qualified_specialisation_looks_inside(device int *out [[buffer(0)]]) { out[0] = library::id(1); out[1] = library::id(Marker()); }

int pick(long) { return 1; }
template <typename T> int picks(T) { return pick(1); }
int pick(int) { return 2; }
// want int 1 2
kernel void plain_names_at_the_definition(device int *out [[buffer(0)]]) { out[0] = picks(0); out[1] = pick(1); }

template <typename T> int found_by_argument(T x) { return weigh(x); }
namespace goods { struct Iron { int kg; }; enum class Metal { copper = 29, zinc = 30 }; int weigh(Iron i) { return i.kg; } int weigh(Metal m) { return int(m); } int weigh(thread const Iron *) { return 5; } }
// want int 12 30 5
kernel void dependent_calls_by_argument(device int *out [[buffer(0)]]) { goods::Iron i = {12}; thread const goods::Iron *p = &i; out[0] = found_by_argument(i); out[1] = found_by_argument(goods::Metal::zinc); out[2] = found_by_argument(p); }
// want int 29
kernel void call_by_argument(device int *out [[buffer(0)]]) { out[0] = weigh(goods::Metal::copper); }

namespace outer { inline namespace v1 { struct A { int x; }; } int size(A a) { return a.x; } namespace v2 { struct B { int x; }; } inline namespace v3 { int size3(A a) { return a.x + 3; } } }
// want int 4 7
kernel void inline_namespaces_by_argument(device int *out [[buffer(0)]]) { outer::A a = {4}; out[0] = size(a); out[1] = size3(a); }

namespace wraps { template <typename T> struct W { T v; }; template <typename T> int open(W<T> w) { return int(w.v); } }
namespace inner_type { struct I { int i; operator int() const { return i; } }; template <typename T> int peek(T) { return 8; } }
// want int 6 8
kernel void template_arguments_by_argument(device int *out [[buffer(0)]]) { wraps::W<int> a = {6}; wraps::W<inner_type::I> b = {{7}}; out[0] = open(a); out[1] = peek(b); }

namespace ops { struct V { int a; }; V operator+(V x, V y) { return V{x.a + y.a}; } bool operator==(V x, V y) { return x.a == y.a; } V operator-(V x) { return V{-x.a}; } thread V &operator+=(thread V &x, int y) { x.a += y; return x; } }
// want int 7 0 1 -3 8
kernel void operators_by_argument(device int *out [[buffer(0)]]) { ops::V a = {3}, b = {4}; out[0] = (a + b).a; out[1] = a == b; out[2] = a == ops::V{3}; out[3] = (-a).a; a += 5; out[4] = a.a; }

struct Host { int n; friend int hidden_friend(Host h) { return h.n + 1; } };
// want int 6
kernel void friend_by_argument(device int *out [[buffer(0)]]) { Host h = {5}; out[0] = hidden_friend(h); }

namespace gadget { struct G { int x; }; int measure(G g) { return 100 + g.x; } }
struct Scale { int measure(gadget::G g) { return g.x; } int run(gadget::G g) { return measure(g); } };
// want int 3 103
kernel void member_hides_argument_lookup(device int *out [[buffer(0)]]) { gadget::G g = {3}; Scale s; out[0] = s.run(g); out[1] = measure(g); }
