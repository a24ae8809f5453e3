// Pointers and references to objects and functions, arrays by reference, defaults, attributes.
// version 310
#include <metal_stdlib>
using namespace metal;

int sum(thread const int (&a)[3]) { return a[0] + a[1] + a[2]; }
template <typename T, int N> int length(thread const T (&)[N]) { return N; }
template <int N> void fill(device int (&a)[N], int v) { for (int i = 0; i < N; ++i) a[i] = v; }

// want int 6 4
kernel void array_references(device int *out [[buffer(0)]])
{
    int a[3] = {1, 2, 3};
    half b[4] = {};
    out[0] = sum(a);
    out[1] = length(b);
}

// want int 7 7 7
kernel void array_behind_pointer(device int *out [[buffer(0)]])
{
    fill(*(device int (*)[3])out, 7);
}

int add(int a, int b) { return a + b; }
int mul(int a, int b) { return a * b; }
typedef int (*Op)(int, int);
using Op2 = int (*)(int, int);
int apply(Op f, int a, int b) { return f(a, b); }

// want int 7 12
kernel void function_pointers(device int *out [[buffer(0)]])
{
    Op f = add;
    out[0] = f(3, 4);
    f = &mul;
    out[1] = (*f)(3, 4);
}

// want int 9 20
kernel void function_pointer_parameters(device int *out [[buffer(0)]])
{
    out[0] = apply(add, 4, 5);
    out[1] = apply(mul, 4, 5);
}

// want int 5 6 5
kernel void function_pointer_choice(device int *out [[buffer(0)]])
{
    Op2 table[2] = {add, mul};
    for (int i = 0; i < 2; ++i)
        out[i] = table[i](2, 3);
    Op2 g = out[0] == 5 ? add : mul;
    out[2] = g(1, 4);
}

struct Ops { int (*f)(int, int); };

// want int 42 1
kernel void function_pointer_members(device int *out [[buffer(0)]])
{
    Ops o = {mul};
    out[0] = o.f(6, 7);
    out[1] = o.f != nullptr;
}

[[visible]] int shown(int x) { return x + 1; }
[[clang::noinline]] int kept(int x) { return x * 2; }
inline __attribute__((always_inline)) int inlined(int x) { return x - 1; }
static METAL_FUNC int spelled(int x) { return x * x; }

// want int 4 6 2 9
kernel void attributes(device int *out [[buffer(0)]])
{
    out[0] = shown(3);
    out[1] = kept(3);
    out[2] = inlined(3);
    out[3] = spelled(3);
}

template <int (*F)(int, int)> int with(int a, int b) { return F(a, b); }
template <typename F> int call(F f, int a, int b) { return f(a, b); }

// want int 5 6 5 6
kernel void functions_as_arguments(device int *out [[buffer(0)]])
{
    out[0] = with<add>(2, 3);
    out[1] = with<&mul>(2, 3);
    out[2] = call(add, 2, 3);
    out[3] = call(&mul, 2, 3);
}

int defaults(int a, int b = 10, int c = 100) { return a + b + c; }

// want int 111 103 6
kernel void default_arguments(device int *out [[buffer(0)]])
{
    out[0] = defaults(1);
    out[1] = defaults(1, 2);
    out[2] = defaults(1, 2, 3);
}

// want int 2 4 1 -3
kernel void arithmetic(device int *out [[buffer(0)]])
{
    int a[5] = {0, 1, 2, 3, 4};
    thread int *p = a + 2;
    out[0] = *p;
    out[1] = p[2];
    out[2] = *--p;
    out[3] = int(p - (a + 4));
}

// want int 1 2 3
kernel void pointer_to_pointer(device int *out [[buffer(0)]])
{
    int a[3] = {1, 2, 3};
    thread int *p = a;
    thread int *thread *pp = &p;
    for (int i = 0; i < 3; ++i)
        out[i] = *(*pp)++;
}

// want int 3 1
kernel void swapped(device int *out [[buffer(0)]])
{
    int a = 1, b = 3;
    thread int &x = a, &y = b;
    int t = x;
    x = y;
    y = t;
    out[0] = a;
    out[1] = b;
}

constant int table[2][3] = {{1, 2, 3}, {4, 5, 6}};

// want int 6 4
kernel void constant_tables(device int *out [[buffer(0)]])
{
    out[0] = table[1][2];
    constant int *p = table[1];
    out[1] = p[0];
}

thread int &choose(thread int &a, thread int &b, bool first) { return first ? a : b; }

// want int 1 9
kernel void returned_references(device int *out [[buffer(0)]])
{
    int a = 1, b = 2;
    choose(a, b, false) = 9;
    out[0] = a;
    out[1] = b;
}

auto deduced(int x) { return x * 2.5f; }
auto trailing(int x) -> long { return x; }
decltype(auto) same(int x) { return x; }

// want int 7 8
kernel void result_types(device int *out [[buffer(0)]])
{
    out[0] = int(deduced(3));
    out[1] = sizeof(trailing(3));
}

// want int 4 6 1
kernel void auto_pointers(device int *out [[buffer(0)]])
{
    int a[3] = {4, 5, 6};
    auto p = a;
    thread auto &r = a[2];
    auto *q = &a[0];
    const auto n = q == p;
    out[0] = *p;
    out[1] = r;
    out[2] = n;
}

// want int 15
kernel void range_loop(device int *out [[buffer(0)]])
{
    int a[5] = {1, 2, 3, 4, 5}, s = 0;
    for (thread const int &x : a)
        s += x;
    out[0] = s;
}

