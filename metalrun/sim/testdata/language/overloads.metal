// Which of several functions a call means.
#include <metal_stdlib>
using namespace metal;

enum Plain { p0, p1 = 300 };
static int number(int) { return 1; }
static int number(float) { return 2; }
static int number(half) { return 3; }
static int number(uint) { return 4; }
static int number(bool) { return 5; }
static int number(long) { return 6; }

// want int 1 2 3 4 5 6 1 1 1 1
kernel void numbers(device int *out [[buffer(0)]])
{
    short s = 1;
    ushort us = 1;
    out[0] = number(1), out[1] = number(1.0f), out[2] = number(1.0h), out[3] = number(1u), out[4] = number(true), out[5] = number(1L);
    out[6] = number(s), out[7] = number(us), out[8] = number('a'), out[9] = number(p1);
}

template <typename T> int plain(T) { return 1; }
static int plain(float) { return 2; }
template <typename T> int plain(thread T *) { return 3; }
template <typename T> int plain(device T *) { return 4; }
template <> int plain(char) { return 5; }

// want int 1 2 3 4 5
kernel void templates_and_functions(device int *out [[buffer(0)]])
{
    int i = 1;
    char c = 1;
    out[0] = plain(1), out[1] = plain(1.0f), out[2] = plain(&i), out[3] = plain(out), out[4] = plain(c);
}

static int width(float4) { return 4; }
static int width(float3) { return 3; }
static int width(float) { return 1; }
static int width(half4) { return 40; }
template <typename T> int shape(T) { return 1; }
template <typename T> int shape(vec<T, 2>) { return 2; }
template <typename T, int N> int shape(vec<T, N>) { return 3; }

// want int 4 1 40 1 2 3
kernel void vectors_and_scalars(device int *out [[buffer(0)]])
{
    out[0] = width(float4(1)), out[1] = width(1), out[2] = width(half4(1));
    out[3] = shape(1), out[4] = shape(float2(1)), out[5] = shape(float3(1));
}

static int space(device void *) { return 1; }
static int space(const device float *) { return 2; }
static int space(device float *) { return 3; }
static int space(constant float *) { return 4; }
constant float given[2] = {1, 2};

// want int 3 4 2 1
kernel void pointers(device int *out [[buffer(0)]])
{
    device float *f = (device float *)out;
    const device float *c = f;
    out[0] = space(f), out[1] = space(given), out[2] = space(c), out[3] = space(out);
}

static int both(int, float) { return 1; }
static int both(float, int) { return 2; }
static int both(float, float) { return 3; }
static int enumeration(int) { return 1; }
static int enumeration(Plain) { return 2; }
static int promoted(long) { return 1; }
static int promoted(int) { return 2; }
static int defaulted(int, int = 0) { return 1; }
static int defaulted(float) { return 2; }
template <typename... T> int pack(T...) { return 1; }
template <typename T> int pack(T) { return 2; }
static int pack(int) { return 3; }

// want int 1 3 2 2 2 1 2 1 2 3
kernel void ranks(device int *out [[buffer(0)]])
{
    short s = 1;
    out[0] = both(1, 1.0f), out[1] = both(1.0f, 1.0f), out[2] = enumeration(p0), out[3] = promoted(p0), out[4] = promoted(s);
    out[5] = defaulted(1), out[6] = defaulted(1.0f), out[7] = pack(1, 2), out[8] = pack(1.0f), out[9] = pack(1);
}

namespace home {
struct X {};
static int found(X) { return 1; }
template <typename T> int found_too(T) { return 2; }
static int operator+(X, X) { return 3; }
}
namespace away {
static int found(int) { return 9; }
static int look() { return found(home::X()) * 100 + found_too(home::X()) * 10 + (home::X() + home::X()); }
}
struct Many {
    operator int() const { return 7; }
    operator float() const { return 8.5f; }
};

// want int 123 7 8
kernel void by_arguments(device int *out [[buffer(0)]])
{
    out[0] = away::look(), out[1] = int(Many()), out[2] = int(float(Many()));
}

struct Held { int v; };
template <typename U> int any_or_held(U) { return 1; }
int any_or_held(const thread Held &) { return 2; }
template <typename A, typename B> int last_held(A, B) { return 3; }
template <typename A> int last_held(A, const thread Held &) { return 4; }
template <typename U> int both_by_reference(const thread U &) { return 5; }
int both_by_reference(thread Held &) { return 6; }

// A reference that adds const is worse than one that does not, but no worse than a copy.
// want int 2 2 4 6 5
kernel void const_references_beside_copies(device int *out [[buffer(0)]]) { Held h{1}; const Held c{2}; out[0] = any_or_held(h); out[1] = any_or_held(c); out[2] = last_held(1, h); out[3] = both_by_reference(h); out[4] = both_by_reference(c); }

namespace masks {
enum class Mask : uint { A = 1, B = 2 };
constexpr Mask operator|(Mask a, Mask b) { return Mask(uint(a) | uint(b)); }
constexpr bool has(Mask a, Mask b) { return (uint(a) & uint(b)) != 0; }
enum Order { low, high };
static Order next(Order o) { return o == low ? high : low; }
struct Base { int v; enum Inner { q = 3 }; };
static int peek(Base b) { return b.v; }
static int peek(Base::Inner x) { return x * 10; }
struct Tag {};
template <typename T> int tagged(T) { return 7; }
inline namespace first { struct Part { int v; }; }
static int outer(Part p) { return p.v * 2; }
}
namespace more_masks {
struct Derived : masks::Base { int w; };
template <typename T> struct Holder { T t; };
}

// Namespaces of enumerations, of bases, of template arguments, and those around inline ones.
// want int 3 1 1 5 30 77 8
kernel void by_namespaces_of_arguments(device int *out [[buffer(0)]])
{
    auto m = masks::Mask::A | masks::Mask::B;
    out[0] = int(uint(m));
    out[1] = has(m, masks::Mask::B);
    out[2] = next(masks::high) == masks::low;
    more_masks::Derived d;
    d.v = 5;
    out[3] = peek(d);
    out[4] = peek(masks::Base::q);
    out[5] = tagged(more_masks::Holder<masks::Tag>{}) * 10 + tagged(more_masks::Holder<thread masks::Base *>{});
    out[6] = outer(masks::Part{4});
}
