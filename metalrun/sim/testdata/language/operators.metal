// Operators of a program's own types.
#include <metal_stdlib>
using namespace metal;

struct V
{
    int x, y;
    V operator+(V o) const { return {x + o.x, y + o.y}; }
    V operator-() const { return {-x, -y}; }
    V operator-(V o) const { return {x - o.x, y - o.y}; }
    bool operator==(V o) const { return x == o.x && y == o.y; }
    bool operator!() const { return x == 0 && y == 0; }
    int operator~() const { return ~x; }
    thread V &operator+=(V o) { x += o.x; y += o.y; return *this; }
    thread V &operator++() { ++x; return *this; }
    V operator++(int) { V old = *this; ++x; return old; }
    thread V &operator--() { --x; return *this; }
    V operator--(int) { V old = *this; --x; return old; }
    int operator[](int i) const { return i ? y : x; }
    int operator()(int k) const { return k * x + y; }
    int operator()(int k, int l) const { return k * x + l * y; }
    explicit operator bool() const { return x || y; }
    operator int() const thread { return 100 * x + y; }
};
V operator*(V a, int k) { return {a.x * k, a.y * k}; }
V operator*(int k, V a) { return a * k; }
int operator*(V a, V b) { return a.x * b.x + a.y * b.y; }
bool operator!=(V a, V b) { return !(a == b); }
bool operator<(V a, V b) { return a.x < b.x; }
V operator%(V a, int m) { return {a.x % m, a.y % m}; }
V operator<<(V a, int n) { return {a.x << n, a.y << n}; }
V operator>>(V a, int n) { return {a.x >> n, a.y >> n}; }
V operator&(V a, V b) { return {a.x & b.x, a.y & b.y}; }
V operator|(V a, V b) { return {a.x | b.x, a.y | b.y}; }
V operator^(V a, V b) { return {a.x ^ b.x, a.y ^ b.y}; }
thread V &operator*=(thread V &a, int k) { a.x *= k; a.y *= k; return a; }
thread V &operator<<=(thread V &a, int k) { a.x <<= k; return a; }
V operator,(V a, V b) { return {a.x, b.y}; }

// want int 4 6 -2 -2
kernel void binary(device int *out [[buffer(0)]])
{
    V a{1, 2}, b{3, 4};
    V c = a + b, d = a - b;
    out[0] = c.x;
    out[1] = c.y;
    out[2] = d.x;
    out[3] = d.y;
}

// want int -1 1 0 -2
kernel void unary(device int *out [[buffer(0)]])
{
    V a{1, 2};
    out[0] = (-a).x;
    out[1] = !V{0, 0};
    out[2] = !a;
    out[3] = ~a;
}

// want int 11 3 6 2 4
kernel void free_functions(device int *out [[buffer(0)]])
{
    V a{1, 2}, b{3, 4};
    out[0] = a * b;
    out[1] = (a * 3).x;
    out[2] = (3 * a).y;
    out[3] = (V{5, 8} % 3).x;
    out[4] = (a << 2).x;
}

// want int 1 0 1 0
kernel void comparisons(device int *out [[buffer(0)]])
{
    V a{1, 2}, b{3, 4};
    out[0] = a == V{1, 2};
    out[1] = a == b;
    out[2] = a < b;
    out[3] = a != V{1, 2};
}

// want int 4 6 8
kernel void compound(device int *out [[buffer(0)]])
{
    V a{1, 2};
    a += V{3, 4};
    out[0] = a.x;
    out[1] = a.y;
    (a *= 1) <<= 1;
    out[2] = a.x;
}

// want int 1 2 3 3 2
kernel void increments(device int *out [[buffer(0)]])
{
    V a{1, 0};
    out[0] = (a++).x;
    out[1] = a.x;
    out[2] = (++a).x;
    out[3] = (a--).x;
    out[4] = a.x;
}

// want int 7 9 29 46
kernel void index_and_call(device int *out [[buffer(0)]])
{
    V a{7, 9};
    out[0] = a[0];
    out[1] = a[1];
    out[2] = V{10, 9}(2);
    out[3] = V{10, 2}(4, 3);
}

// want int 1 2 7 5 3 2
kernel void bits(device int *out [[buffer(0)]])
{
    V a{5, 6}, b{3, 3};
    out[0] = (a & b).x;
    out[1] = (a & b).y;
    out[2] = (a | b).x;
    out[3] = (a ^ b).y;
    out[4] = (a >> 1).y;
    out[5] = (a >> 1).x;
}

// want int 1 0 305
kernel void conversions(device int *out [[buffer(0)]])
{
    V a{3, 5}, z{0, 0};
    out[0] = a ? 1 : 0;
    if (z)
        out[1] = 1;
    else
        out[1] = 0;
    int n = a;
    out[2] = n;
}

// want int 1 8
kernel void comma(device int *out [[buffer(0)]])
{
    V c = (V{1, 2}, V{7, 8});
    out[0] = c.x;
    out[1] = c.y;
}

struct Cell
{
    int v;
    thread Cell &operator=(int n) { v = n * 2; return *this; }
};
struct Ref
{
    thread Cell *p;
    thread Cell &operator*() const { return *p; }
    thread Cell *operator->() const { return p; }
};

// want int 14 15 5
kernel void assignment_and_pointer(device int *out [[buffer(0)]])
{
    Cell c;
    c = 7;
    out[0] = c.v;
    Ref r{&c};
    (*r).v = 15;
    out[1] = c.v;
    r->v = 5;
    out[2] = r->v;
}

enum class Flag : uint { a = 1, b = 2, c = 4 };
constexpr Flag operator|(Flag l, Flag r) { return Flag(uint(l) | uint(r)); }
constexpr bool operator&(Flag l, Flag r) { return (uint(l) & uint(r)) != 0; }
constexpr Flag operator~(Flag l) { return Flag(~uint(l) & 7u); }

// want int 5 1 0 2
kernel void scoped_enumerations(device int *out [[buffer(0)]])
{
    Flag f = Flag::a | Flag::c;
    out[0] = int(f);
    out[1] = f & Flag::c;
    out[2] = f & Flag::b;
    out[3] = int(~f);
}

template <typename T> struct C
{
    T re, im;
    constexpr C(T r = 0, T i = 0) : re(r), im(i) {}
    template <typename U> constexpr explicit C(C<U> o) : re(o.re), im(o.im) {}
    friend constexpr C operator*(C a, C b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
    friend constexpr bool operator==(C a, C b) { return a.re == b.re && a.im == b.im; }
};
template <typename T> constexpr C<T> operator+(C<T> a, C<T> b) { return {a.re + b.re, a.im + b.im}; }

// want int -5 10 8 1
kernel void templates_and_friends(device int *out [[buffer(0)]])
{
    C<int> a{1, 2}, b{3, 4};
    auto p = a * b;
    out[0] = p.re;
    out[1] = p.im;
    out[2] = (a + a + b * 2).re - (b * 2).re + 6;
    out[3] = C<int>(C<float>(3.5f, 4.25f)) == b;
}

struct Device { int v[4]; device int &operator[](uint i) device { return v[i]; } const device int &operator[](uint i) const device { return v[i]; } };

// want int 0 0 9 0
kernel void on_device_objects(device Device *d [[buffer(0)]])
{
    for (int i = 0; i < 4; ++i)
        d[0][i] = 0;
    (*d)[2] = 9;
}

struct Bits
{
    uint b;
    constexpr Bits(uint v) : b(v) {}
    constexpr operator uint() const { return b; }
    constexpr operator float() const { return float(b) / 2; }
};

// want float 3.5 7
kernel void several_conversions(device float *out [[buffer(0)]])
{
    Bits b = 7u;
    float f = b;
    uint u = b;
    out[0] = f;
    out[1] = u;
}
