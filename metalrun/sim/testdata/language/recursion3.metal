// version 400
// What calls within calls keep: values of every type, references of every kind, captures, statements in expressions.
#include <metal_stdlib>
using namespace metal;

static int given(device int *out, int x) { int kept = out[0]; out[0] = x; x = out[0]; out[0] = kept; return x; } // what no compiler knows

static half4 mixed(half4 v, bool odd, ulong big, int n, thread half4 *p)
{
    if (n == 0)
        return v + half4(odd ? 1.0h : 2.0h);
    half4 w = v * 2.0h;
    half4 r = mixed(w, !odd, big * 3, n - 1, p + 1);
    p[0] = r + v;
    return r + (odd ? half4(half(big % 7)) : w);
}
// With v = (1, 2, 3, 4): 8 v + 1; 8 v more; 5 · 2³³ · 3 modulo 7 = 1 more; 2 v more. Of the second v, on the way: 17 v + 2, 18 v + 1, 12 v + 1
// want int 20 74 36 37 25
kernel void registers_of_every_type(device int *out [[buffer(0)]])
{
    half4 p[3];
    half4 r = mixed(half4(1, 2, 3, 4), false, 5ul << 33, given(out, 3), p);
    out[0] = int(r.x);
    out[1] = int(r.w);
    for (int i = 0; i < 3; i++)
        out[2 + i] = int(p[i].y);
}

template <typename F> int each(int n, F f)
{
    if (n == 0)
        return f(0);
    int before = each(n - 1, f);
    return before + f(n);
}
static int captured(int n) { auto g = [&](int k) { return n > 0 ? captured(n - 1) + k : k; }; return g(n) + g(1); }
static int statements(int n) { return n < 1 ? 1 : ({ int k = statements(n - 1); k * 2; }) + n; }
// captured(n) = 2 captured(n - 1) + n + 1, captured(0) = 1; statements(n) = 2 statements(n - 1) + n, statements(0) = 1
// want int 12 26 19
kernel void functions_in_functions(device int *out [[buffer(0)]])
{
    int factor = 2;
    out[0] = each(given(out, 3), [&](int i) { return i * factor; });
    out[1] = captured(given(out, 3));
    out[2] = statements(given(out, 3));
}

struct Node { int v; int kids[2]; };
static int walk(thread const Node (&tree)[7], int at)
{
    return at >= 7 ? 0 : tree[at].v + 2 * walk(tree, tree[at].kids[0]) - walk(tree, tree[at].kids[1]);
}
static void step_down(thread int *thread &p, int n)
{
    if (n == 0)
        return;
    p++;
    step_down(p, n - 1);
    *p += n;
}
// leaves 4 5 6 7; 2 + 8 - 5 = 5, 3 + 12 - 7 = 8; 1 + 10 - 8 = 3
// want int 3 3 10
kernel void references_to_arrays_and_pointers(device int *out [[buffer(0)]])
{
    Node tree[7];
    for (int i = 0; i < 7; i++) {
        tree[i].v = i + 1;
        tree[i].kids[0] = 2 * i + 1;
        tree[i].kids[1] = 2 * i + 2;
    }
    out[0] = walk(tree, given(out, 0));
    int a[5] = { 1, 2, 3, 4, 5 };
    thread int *q = a;
    step_down(q, given(out, 3));
    out[1] = int(q - a);
    out[2] = a[3];
}

struct Matrix { float2 x, y; };
static Matrix operator*(Matrix a, Matrix b) { return { a.x * b.x.x + a.y * b.x.y, a.x * b.y.x + a.y * b.y.y }; }
static Matrix power(Matrix m, int n)
{
    if (n == 1)
        return m;
    Matrix h = power(m, n / 2);
    return n & 1 ? h * h * m : h * h;
}
static int defaulted(int n, int more = 3)
{
    if (n > 2)
        return defaulted(n - 1) + more;
    return more;
}
namespace ns {
struct S { int x; S operator-(int k) const { return S{x - k}; } };
int rec(S s) { return s.x <= 0 ? 0 : s.x + rec(s - 2); }
}
union Word { uint u; uchar byte[4]; };
static uint swapped(Word w, int n)
{
    if (n == 4)
        return w.u;
    Word v = w;
    v.byte[n] = w.byte[3 - n];
    uint inner = swapped(v, n + 1);
    return inner ^ w.byte[n];
}
// bytes 1 2 3 4: 4 2 3 4; 4 3 3 4; then 3 and 4 from 3 and 4; 0x04030304 ^ 1 ^ 2 ^ 3 ^ 4
// want int 5 1 12 16 67306240
kernel void operators_defaults_classes_and_unions(device int *out [[buffer(0)]])
{
    Matrix m = power(Matrix{ float2(1, 0), float2(1, 1) }, given(out, 5));
    out[0] = int(m.y.x);
    out[1] = int(m.y.y);
    out[2] = defaulted(given(out, 5));
    out[3] = ns::rec(ns::S{given(out, 7)});
    Word w;
    w.u = 0x04030201;
    out[4] = int(swapped(w, 0));
}

static int total(threadgroup int *list, device atomic_int &count, constant int *weight, int n)
{
    if (n < 0)
        return 0;
    atomic_fetch_add_explicit(&count, weight[n], memory_order_relaxed);
    int rest = total(list, count, weight, n - 1);
    return list[n] * weight[n] + rest;
}
constant int weights[4] = { 1, 10, 100, 1000 };
struct Scope {
    thread int &ended;
    int by;
    Scope(thread int &e, int b) : ended(e), by(b) {}
    ~Scope() { ended = ended * 8 + by; }
};
static int scopes(int n, thread int &ended)
{
    Scope s(ended, n);
    if (n == 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        Scope inner(ended, n + 4);
        if (n == 1 && i == 1)
            return 1;
        scopes(n - 1, ended);
    }
    return 2;
}

// want int 8531 1111
kernel void address_spaces(device int *out [[buffer(0)]])
{
    threadgroup int list[4];
    for (int i = 0; i < 4; i++)
        list[i] = 1 + 2 * i + (i > 2);
    out[1] = 0;
    out[0] = total(list, *(device atomic_int *)(out + 1), weights, given(out, 3));
}
// scopes(1) ends 0, 5, 5 and 1; scopes(2) that and 6, twice, then 2: 05516055162
// want int 2 758667890
kernel void destructors(device int *out [[buffer(0)]])
{
    int ended = 0;
    out[0] = scopes(given(out, 2), ended);
    out[1] = ended;
}
