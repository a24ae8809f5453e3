// What the compiler computes: constexpr functions with loops and arrays, tables, assertions.
#include <metal_stdlib>
using namespace metal;

constexpr int power(int b, int n) { int r = 1; for (int i = 0; i < n; ++i) r *= b; return r; }

// want int 81 8
kernel void loops(device int *out [[buffer(0)]])
{
    constexpr int n = power(3, 4);
    int a[power(2, 3)];
    out[0] = n;
    out[1] = sizeof(a) / sizeof(a[0]);
}

struct Squares
{
    int v[6];
    constexpr Squares() : v() { for (int i = 0; i < 6; ++i) v[i] = i * i; }
};
constant constexpr Squares squares = Squares();

// want int 25 9
kernel void filled_tables(device int *out [[buffer(0)]])
{
    out[0] = squares.v[5];
    int i = out[0] - 22;
    out[1] = squares.v[i];
}

constexpr int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
static_assert(gcd(48, 36) == 12, "Euclid");

// want int 12 7
kernel void recursion(device int *out [[buffer(0)]])
{
    out[0] = gcd(48, 36);
    switch (out[0]) {
    case gcd(24, 36): out[1] = 7; break;
    default: out[1] = 0;
    }
}

constexpr int bits_of(int n) { int k = 0; while (n) { k += n & 1; n >>= 1; } return k; }
template <int N> struct Holder { static constexpr constant int value = N; };

// want int 3 4
kernel void as_template_arguments(device int *out [[buffer(0)]])
{
    out[0] = Holder<bits_of(7)>::value;
    out[1] = Holder<sizeof(float) == 4 ? 4 : 0>::value;
}

enum : int { first = 5, second, third = first * 4, last };
enum class Size : uchar { small = 1, large = small + 3 };

// want int 6 20 21 4 1
kernel void enumerators(device int *out [[buffer(0)]])
{
    out[0] = second;
    out[1] = third;
    out[2] = last;
    out[3] = int(Size::large);
    out[4] = sizeof(Size);
}

constant int table[] = {2, 3, 5, 7, 11};
constant uint total = sizeof(table) / sizeof(int);

// want int 5 11 7
kernel void tables(device int *out [[buffer(0)]])
{
    out[0] = total;
    out[1] = table[total - 1];
    out[2] = table[out[0] - 2];
}

constexpr float half_of(float x) { return x / 2; }

// want float 1.5 0.25 6.5
kernel void floats(device float *out [[buffer(0)]])
{
    constexpr float a = half_of(3.0f);
    constexpr float b[2] = {0.25f, a + 5};
    out[0] = a;
    out[1] = b[0];
    out[2] = b[1];
}

template <typename T> constexpr int kind()
{
    if constexpr (is_same_v<T, float>)
        return 1;
    else if constexpr (is_integral_v<T>)
        return 2;
    else
        return T::no_such_member;
}

// want int 1 2
kernel void discarded_branches(device int *out [[buffer(0)]])
{
    out[0] = kind<float>();
    out[1] = kind<short>();
}

constexpr int find(int x) { for (int i = 0; i < 5; ++i) { if (i * i == x) return i; } return -1; }

// want int 4 -1
kernel void early_returns(device int *out [[buffer(0)]])
{
    constexpr int hit = find(16), miss = find(15);
    out[0] = hit;
    out[1] = miss;
}

struct Point { int x, y; constexpr Point flipped() const { return {y, x}; } };
constexpr int weigh(Point p) { return 10 * p.x + p.y; }

// want int 21
kernel void objects(device int *out [[buffer(0)]])
{
    constexpr int w = weigh(Point{1, 2}.flipped());
    out[0] = w;
}

constexpr uint hash(uint h, uint x) { return (h ^ x) * 16777619u; }

// want uint 84696351
kernel void wrapping(device uint *out [[buffer(0)]])
{
    constexpr uint h = hash(2166136261u, 0u);
    out[0] = h;
}

constexpr int hash(constant char *s, int h) { return *s ? hash(s + 1, h * 33 ^ *s) : h; }
constexpr int length(constant char *s) { return *s ? 1 + length(s + 1) : 0; }
constexpr constant int hashed = hash("ab", 5);

// want int 6438 6438 3
kernel void text_at_compile_time(device int *out [[buffer(0)]])
{
    constexpr int h = hash("ab", 5);
    out[0] = h;
    out[1] = hashed;
    out[2] = length("abc");
}
