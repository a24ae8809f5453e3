// Statements: loops, switches, jumps, scopes and evaluation order.
#include <metal_stdlib>
using namespace metal;

// want int 10 4 0
kernel void loops(device int *out [[buffer(0)]]) { int s = 0; for (int i = 0; i < 5; i++) s += i; out[0] = s; int n = 0; while (n * n < 10) n++; out[1] = n; int k = 3; do k--; while (k > 0); out[2] = k; }
// want int 4 9 3
kernel void breaks_and_continues(device int *out [[buffer(0)]]) { int s = 0, t = 0, i = 0; for (;; i++) { if (i == 3) break; s += i + 1; if (i == 1) continue; t += 2; } out[0] = t; out[1] = s + 3; out[2] = i; }
int named(int x) { switch (x) { case 0: return 10; case 1: case 2: return 20; default: return 30; } }
// want int 10 20 20 30
kernel void switches(device int *out [[buffer(0)]]) { for (int i = 0; i < 4; i++) out[i] = named(i); }
// want int 111 11 1 0
kernel void fall_through(device int *out [[buffer(0)]]) { for (int i = 0; i < 4; i++) { int s = 0; switch (i) { case 0: s += 100; case 1: s += 10; case 2: s += 1; } out[i] = s; } }
// want int 2 7
kernel void default_in_the_middle(device int *out [[buffer(0)]]) { int a = 0; switch (9) { case 1: a = 1; break; default: a += 1; case 2: a += 1; } out[0] = a; switch (int x = 7) { case 7: out[1] = x; } }
// want int 1 2
kernel void switch_on_enums(device int *out [[buffer(0)]]) { enum class E { a, b }; E e = E::b; switch (e) { case E::a: out[0] = 5; break; case E::b: out[0] = 1; } out[1] = 2; }
// want int 1 5 1
kernel void shadowing(device int *out [[buffer(0)]]) { int x = 1; { int y = x; int x = 5; out[1] = x; out[0] = y; } out[2] = x; }
// want int 0 1 1
kernel void short_circuits(device int *out [[buffer(0)]]) { int n = 0; bool a = false && n++; bool b = true || n++; out[0] = n + a; out[1] = b; out[2] = true && ++n; }
// want int 3 5
kernel void declared_in_conditions(device int *out [[buffer(0)]]) { if (int n = 3) out[0] = n; else out[0] = -n; int i = 0; while (int left = 5 - i) { i++; out[1] = i + left - 1; } }
// want int 6
kernel void nested_loops(device int *out [[buffer(0)]]) { int n = 0; for (int i = 0; i < 4; i++) for (int k = i; k < 4; k++) { if (k == i) continue; n++; } out[0] = n; }
// want int 7 8
kernel void early_returns(device int *out [[buffer(0)]]) { out[0] = 7; out[1] = 8; if (out[0] == 7) return; out[1] = 0; }
// want int 120 8
kernel void iteration_of_functions(device int *out [[buffer(0)]]) { int f = 1; for (int i = 2; i <= 5; i++) f *= i; out[0] = f; int a = 0, b = 1; for (int i = 0; i < 6; i++) { int t = a + b; a = b; b = t; } out[1] = a; }
// want int 21 6
kernel void greatest_common_divisor(device int *out [[buffer(0)]]) { int a = 1071, b = 462; while (b) { int t = a % b; a = b; b = t; } out[0] = a; uint n = 0b1011011101u, bits = 0; while (n) { n &= n - 1; bits++; } out[1] = bits - 1; }
// want int 2 3 5 7
kernel void sieve(device int *out [[buffer(0)]]) { bool no[10] = {}; int n = 0; for (int i = 2; i < 10; i++) { if (no[i]) continue; out[n++] = i; for (int k = i * i; k < 10; k += i) no[k] = true; } }
// want int 1 2 3 4
kernel void insertion_sort(device int *out [[buffer(0)]]) { int a[4] = {3, 1, 4, 2}; for (int i = 1; i < 4; i++) { int x = a[i], k = i; for (; k > 0 && a[k - 1] > x; k--) a[k] = a[k - 1]; a[k] = x; } for (int i = 0; i < 4; i++) out[i] = a[i]; }
// want int 4 0
kernel void empty_statements(device int *out [[buffer(0)]]) { int i = 0; for (; i < 4; i++); ; if (i) {} else ; out[0] = i; out[1] = 0; }
// want int 3 3
kernel void static_constants(device int *out [[buffer(0)]]) { static constant int table[2] = {3, 4}; static constexpr constant int n = 3; out[0] = table[0]; out[1] = n; }
// want int 5 10 1
kernel void conditional_chains(device int *out [[buffer(0)]]) { int x = 7; out[0] = x < 3 ? 1 : x < 9 ? 5 : 8; out[1] = (x > 3 ? x : 0) + 3; out[2] = x == 7 ? 1 : 0; }
// want int 8 4
kernel void labelled_by_flags(device int *out [[buffer(0)]]) { bool done = false; int n = 0; for (int i = 0; i < 3 && !done; i++) for (int k = 0; k < 3; k++) { n += 2; if (i == 1 && k == 0) { done = true; break; } } out[0] = n; out[1] = n / 2; }
