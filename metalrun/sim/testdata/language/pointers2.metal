// Pointers, references, arrays and address spaces.
#include <metal_stdlib>
using namespace metal;
constant int primes[4] = {2, 3, 5, 7};
constant float2 pairs[2] = {float2(1, 2), float2(3, 4)};

// want int 5 3 2
kernel void pointer_arithmetic(device int *out [[buffer(0)]]) { int a[5] = {1, 2, 3, 4, 5}; thread int *p = a + 4; out[0] = *p; p -= 2; out[1] = *p--; out[2] = *p; }
// want int 3 1 0
kernel void pointer_differences(device int *out [[buffer(0)]]) { int a[5]; thread int *p = &a[4]; thread int *q = a + 1; out[0] = p - q; out[1] = p > q; out[2] = p == q; }
// want int 9 9
kernel void references(device int *out [[buffer(0)]]) { int a = 1; thread int &r = a; r = 9; out[0] = a; thread const int &c = a; out[1] = c; }
void twice(thread int &x) { x *= 2; } void store(device int *p, int i, int v) { p[i] = v; } int read(constant int *p) { return p[2]; }
// want int 14 8 5
kernel void by_reference(device int *out [[buffer(0)]]) { int a = 7; twice(a); out[0] = a; store(out, 1, 8); out[2] = read(primes); }
int where(device int *) { return 1; } int where(thread int *) { return 2; } int where(constant int *) { return 3; } int where(threadgroup int *) { return 4; }
// want int 1 2 3 4
kernel void overloads_by_space(device int *out [[buffer(0)]]) { int a = 0; threadgroup int t[1]; out[0] = where(out); out[1] = where(&a); out[2] = where(primes); out[3] = where(t); }
// want int 6 5 24
kernel void two_dimensions(device int *out [[buffer(0)]]) { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; thread int (*row)[3] = a + 1; out[0] = (*row)[2]; out[1] = row[0][1]; out[2] = sizeof(a); }
// want int 2 3 5 7
kernel void constant_tables(device int *out [[buffer(0)]]) { for (int i = 0; i < 4; i++) out[i] = primes[i]; }
// want float 3 2
kernel void constant_vectors(device float *out [[buffer(0)]]) { int i = 1; out[0] = pairs[i].x; out[1] = pairs[i - 1].y; }
// want uint 1 2 3 4
kernel void reinterpreted(device uchar *out [[buffer(0)]]) { *reinterpret_cast<device uint *>(out) = 0x04030201; uint s = 0; for (int i = 3; i >= 0; i--) s = out[i]; device uint *w = (device uint *)out; for (int i = 3; i > 0; i--) w[i] = out[i]; w[0] = s; }
// want int 4 3 2 1
kernel void reversed_in_place(device int *out [[buffer(0)]]) { for (int i = 0; i < 4; i++) out[i] = i + 1; device int *a = out, *b = out + 3; while (a < b) { int t = *a; *a++ = *b; *b-- = t; } }
int total(thread const int (&a)[3]) { int s = 0; for (int x : a) s += x; return s; }
// want int 12
kernel void arrays_by_reference(device int *out [[buffer(0)]]) { int a[3] = {3, 4, 5}; out[0] = total(a); }
// want int 0 1
kernel void null_pointers(device int *out [[buffer(0)]]) { device int *p = nullptr; out[0] = p != nullptr; p = out; out[1] = p ? 1 : 0; }
// want int 7 5
kernel void pointers_to_pointers(device int *out [[buffer(0)]]) { int a = 7, b = 5; thread int *p = &a; thread int *thread *pp = &p; out[0] = **pp; *pp = &b; out[1] = *p; }
struct Node { int v; thread Node *next; };
// want int 6
kernel void linked(device int *out [[buffer(0)]]) { Node c = {3, nullptr}, b = {2, &c}, a = {1, &b}; int s = 0; for (thread Node *n = &a; n; n = n->next) s += n->v; out[0] = s; }
// want int 15 3
kernel void threadgroup_memory(device int *out [[buffer(0)]]) { threadgroup int t[3]; t[0] = 4; t[1] = 5; t[2] = 6; threadgroup int *p = t; int s = 0; for (int i = 0; i < 3; i++) s += p[i]; out[0] = s; out[1] = sizeof(t) / sizeof(t[0]); }
// want int 8 1
kernel void range_loops_change(device int *out [[buffer(0)]]) { int a[] = {1, 3}; for (thread int &x : a) x *= 2; out[0] = a[0] + a[1]; for (int x : a) x = 0; out[1] = a[0] - 1; }
// want int 3 8
kernel void ternary_lvalues(device int *out [[buffer(0)]]) { int a = 1, b = 2; bool t = true; (t ? a : b) = 3; (!t ? a : b) = 8; out[0] = a; out[1] = b; }
// want int 10 20
kernel void function_pointer_tables(device int *out [[buffer(0)]]) { array<int, 2> a = {10, 20}; thread auto &r = a; for (uint i = 0; i < a.size(); i++) out[i] = r[i]; }
// want long 8 16 1
kernel void device_arithmetic(device long *out [[buffer(0)]]) { device long *p = out + 2; out[0] = (device char *)(out + 1) - (device char *)out; out[1] = (device char *)p - (device char *)out; out[2] = p - out - 1; }
// want int 5 6
kernel void const_objects(device int *out [[buffer(0)]]) { const int a = 5; const thread int *p = &a; out[0] = *p; int b = 6; p = &b; out[1] = *p; }
