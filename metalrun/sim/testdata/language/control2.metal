// Statements: loops, jumps, switches, scopes, conditions, evaluation order where it is defined, the preprocessor.
#include <metal_stdlib>
using namespace metal;

#define SQUARE(x) ((x) * (x))
#define JOIN(a, b) a##b
#define MAKE(name, body) int name() { return body; }
#define COUNT(...) count_of(__VA_ARGS__)
#define FIRST(a, ...) a
#define EMPTY
#define STEP(i) out[i] = i * 10;
#if defined(EMPTY) && !defined(MISSING) && (3 * 2 > 5 || 0)
#define PICKED 1
#else
#define PICKED 2
#endif
#ifdef MISSING
#define OTHER 3
#elif SQUARE(2) == 4
#define OTHER 4
#else
#define OTHER 5
#endif
MAKE(made, 6)
MAKE(JOIN(glued, 1), 7)
int count_of(int) { return 1; }
int count_of(int, int) { return 2; }
int count_of(int, int, int) { return 3; }

// want int 9 25 6 7
kernel void macros(device int *out [[buffer(0)]]) { out[0] = SQUARE(3); out[1] = SQUARE(2 + 3); out[2] = made(); out[3] = glued1(); }
// want int 3 1 5 1 4
kernel void variadic_and_conditional(device int *out [[buffer(0)]]) { out[0] = COUNT(1, 2, 3); out[1] = COUNT(1); out[2] = FIRST(5, 6); out[3] = PICKED; out[4] = OTHER; }
// want int 0 10 20
kernel void statements_from_macros(device int *out [[buffer(0)]]) { STEP(0) STEP(1) EMPTY STEP(2) }
#undef SQUARE
#define SQUARE(x) 1
// want int 1 65
kernel void redefined(device int *out [[buffer(0)]]) { out[0] = SQUARE(9); out[1] = 0 + \
    65; }

// want int 10 4 0
kernel void for_loops(device int *out [[buffer(0)]]) { int s = 0; for (int i = 0; i < 5; i++) s += i; out[0] = s; int n = 0; for (int i = 0, j = 8; i < j; i++, j--) n++; out[1] = n; int z = 0; for (int i = 3; i < 3; i++) z++; out[2] = z; }
// want int 8 1 3
kernel void while_and_do(device int *out [[buffer(0)]]) { int p = 1; while (p < 5) p *= 2; out[0] = p; int d = 0; do d++; while (false); out[1] = d; int e = 0; do { if (++e == 3) break; } while (true); out[2] = e; }
// want int 6 5 9
kernel void jumps(device int *out [[buffer(0)]]) { int s = 0; for (int i = 0; i < 9; i++) { if (i % 2) continue; if (i > 4) break; s += i; } out[0] = s; int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (j > i) break; if (i == 1 && j == 0) continue; n++; } out[1] = n; int k = 0; for (;;) if (++k > 8) break; out[2] = k; }
int by_switch(int x) { switch (x) { case 1: return 10; case 2: case 3: return 23; case -4: x = 7; default: x++; case 9: x += 100; break; } return x; }
// want int 10 23 23 108 109 106
kernel void switches(device int *out [[buffer(0)]]) { out[0] = by_switch(1); out[1] = by_switch(2); out[2] = by_switch(3); out[3] = by_switch(-4); out[4] = by_switch(9); out[5] = by_switch(5); }
// want int 2 13 3
kernel void switch_in_loops(device int *out [[buffer(0)]]) { int a = 0, b = 0, c = 0; for (int i = 0; i < 6; i++) { switch (i % 3) { case 0: a++; continue; case 1: b += 5; break; default: c++; break; } b++; if (i == 4) { c += 2; break; } } out[0] = a; out[1] = b - c + 2 + 1; out[2] = c; }
// want int 1 2 1 3
kernel void scopes(device int *out [[buffer(0)]]) { int x = 1; out[0] = x; { int x = 2; out[1] = x; } out[2] = x; for (int x = 3; x < 4; x++) out[3] = x; }
// want int 5 0 7
kernel void declared_in_conditions(device int *out [[buffer(0)]]) { if (int x = 5) out[0] = x; else out[0] = -1; if (int y = 0) out[1] = 9; else out[1] = y; int n = 8; while (int m = --n) { if (m == 7) { out[2] = m; break; } } }
int counted(thread int &n, bool r) { n++; return r; }
// want int 1 2 1 2
kernel void short_circuits(device int *out [[buffer(0)]]) { int n = 0; bool b = counted(n, false) && counted(n, true); out[0] = n; n = 0; b = counted(n, true) && counted(n, false); out[1] = n; n = 0; b = counted(n, true) || counted(n, true); out[2] = n; n = 0; b = counted(n, false) || counted(n, b); out[3] = n; }
// want int 2 3 5
kernel void choices_evaluate_one(device int *out [[buffer(0)]]) { int a = 1, b = 1; int r = true ? (a = 2, a) : (b = 9); out[0] = r; r = false ? a++ : b + a; out[1] = r; (a > b ? a : b) = 5; out[2] = a; }
// want int 6 6 3 5
kernel void assignments_are_values(device int *out [[buffer(0)]]) { int a, b; a = b = 6; out[0] = a; out[1] = b; (a = 1) += 2; out[2] = a; int c = (a, b, 5); out[3] = c; }
// want int 14 20 1 -6 7
kernel void precedence(device int *out [[buffer(0)]]) { out[0] = 2 + 3 * 4; out[1] = (2 + 3) * 4; out[2] = 1 | 0 & 0; out[3] = -2 * 3; out[4] = 1 + 2 << 1 + 1 - 1 | 5 & 15 ^ 2 ^ 0; }
// want int 1 1 0 3
kernel void chains(device int *out [[buffer(0)]]) { out[0] = 1 < 2 == true; out[1] = 5 > 4 > 0; out[2] = 5 > 4 > 3; out[3] = false ? 1 : true ? 3 : 4; }
// want int 24 6 1
kernel void tail_and_loops(device int *out [[buffer(0)]]) { int f = 1; for (int i = 2; i <= 4; ++i) f *= i; out[0] = f; uint g = 54, h = 24; while (h) { uint t = g % h; g = h; h = t; } out[1] = int(g); int bits = 0; for (uint v = 0x80000000u; v; v &= v - 1) bits++; out[2] = bits; }
// want int 10 7 4
kernel void range_loops(device int *out [[buffer(0)]]) { int a[4] = {1, 2, 3, 4}; int s = 0; for (int x : a) s += x; out[0] = s; for (thread int &x : a) x += 1; out[1] = a[0] + a[3]; int n = 0; for (auto x : a) { if (x == 9) break; n++; } out[2] = n; }
// want int 3 99
kernel void early_return(device int *out [[buffer(0)]]) { out[0] = 3; out[1] = 99; if (out[0] == 3) return; out[1] = 0; }
static int depth(int n) { if (n <= 0) return 0; { return n > 100 ? 100 : n; } }
// want int 0 5 100
kernel void returns(device int *out [[buffer(0)]]) { out[0] = depth(-1); out[1] = depth(5); out[2] = depth(1000); }
// want int 120 255 10 8 1000000
kernel void literals(device int *out [[buffer(0)]]) { out[0] = 'x'; out[1] = 0xFf; out[2] = 0b1010; out[3] = 010; out[4] = 1'000'000; }
// want float 0.5 2500 0.25 1.5
kernel void floating_literals(device float *out [[buffer(0)]]) { out[0] = .5; out[1] = 2.5e3f; out[2] = 0x1p-2f; out[3] = 1.5h; }
// want int 10 39 92 0
kernel void escapes(device int *out [[buffer(0)]]) { out[0] = '\n'; out[1] = '\''; out[2] = '\\'; out[3] = '\0'; }

// want int 3 7
kernel void hints_ahead_of_labels(device int *out [[buffer(0)]])
{
    for (int i = 0; i < 2; i++)
        switch (i) {
        [[likely]] case 0:
            out[i] = 3;
            break;
        [[unlikely]] default:
            out[i] = 7;
        }
}

// Functions that are declared in a block, and defined behind it.
// want int 11 7 12 24930
kernel void declared_in_a_block(device int *out [[buffer(0)]])
{
    int later(int), sum = 2, more(int, int = 5);
    out[0] = later(1);
    {
        int later(float);
        out[1] = later(1.5f);
    }
    out[2] = more(sum) + later(-5);
    out[3] = 'ab';
    struct None;
    float;
}
int later(int x) { return x + 10; }
int later(float x) { return int(x * 2) + 4; }
int more(int a, int b) { return a + b; }
