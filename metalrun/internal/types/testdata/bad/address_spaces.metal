// Address spaces (2.6).
#include <metal_stdlib>
using namespace metal;

float a1(float *p) { return *p; } // ERROR 16 missing-address-space "address space"
float a2(float &r) { return r; } // ERROR 16 missing-address-space "address space"
float a3(const float *p) { return *p; } // ERROR 22 missing-address-space "address space"
float a4(float p[4]) { return p[0]; } // an array is a pointer to thread memory
float *a5(thread float *p) { return p; } // ERROR 7 missing-address-space "address space"
int g6; // ERROR 5 program-scope "constant"
float g7 = 1.0f; // ERROR 7 program-scope "constant"
const float g8 = 1.0f; // ERROR 13 program-scope "constant"
device float g9; // ERROR 14 program-scope "constant"
threadgroup float g10[4]; // ERROR 19 program-scope "constant|kernel"
constant float g11; // ERROR 1 uninitialised "initialis"
constant float g12 = 1.0f;
void a12() { g12 = 2.0f; } // ERROR 18 write-constant "constant"
constant float g13[2] = {1.0f, 2.0f};
void a13() { g13[1] = 2.0f; } // ERROR 21 write-constant "constant"
void a14(constant float *p) { *p = 1.0f; } // ERROR 34 write-constant "read-only variable is not assignable"
void a15(constant float &r) { r += 1.0f; } // ERROR 33 write-constant "constant"
void a16(const device float *p) { p[0] = 1.0f; } // ERROR 40 write-const "read-only variable is not assignable"
void a17(device float *p) { thread float *q = p; } // ERROR 43 address-space "cannot initialize a variable of type 'thread float \*' with an lvalue of type 'device float \*'"
void a18(device float *p) { constant float *q = p; } // ERROR 45 address-space "cannot initialize a variable of type 'const constant float \*' with an lvalue of type 'device float \*'"
void a19(device float *p) { thread float *q = (thread float *)p; } // ERROR 47 address-space "address space"
void a20(device float *p) { auto q = reinterpret_cast<threadgroup float *>(p); } // ERROR 38 address-space "address space"
void a21(const device float *p) { device float *q = p; } // ERROR 49 drops-const "cannot initialize a variable of type 'device float \*' with an lvalue of type 'const device float \*'"
float a22(thread float &r) { return r; }
float b22(device float *p) { return a22(p[0]); } // ERROR 37 address-space "no matching function for call to 'a22'"
float a23(device float *p) { return p[0]; }
float b23() { float x[4]; return a23(x); } // ERROR 34 address-space "no matching function for call to 'a23'"
void a24() { threadgroup float scratch[4]; } // ERROR 14 threadgroup-variable "kernel"
void a25() { device float x; } // ERROR 14 local-device "device"
void a26() { constant float x = 1.0f; } // ERROR 14 local-constant "constant"
kernel void a27(device float *out [[buffer(0)]]) { threadgroup float s = nowhere; out[0] = s; } // ERROR 74 undeclared "nowhere"
kernel void a28(device float *out [[buffer(0)]]) { threadgroup float s[2] = {1, 2, 3}; out[0] = s[0]; } // ERROR 84 initialiser-count "want at most 2"
constant int g29 = undeclared; // ERROR 20 undeclared "undeclared"
int notconst(int x) { return x; }
constant int g30 = notconst(1); // ERROR 20 not-constant "constant"
float a31(thread float *p) { return *p; }
float b31() { return a31(&g12); } // ERROR 22 address-space "no matching function for call to 'a31'"
struct S32 { float *p; }; // ERROR 20 missing-address-space "address space"
void a33(device float *p, threadgroup float *q, bool b) { auto r = b ? p : q; } // ERROR 70 operands "choose"
bool a34(device float *p, threadgroup float *q) { return p == q; } // ERROR 60 address-space "device and threadgroup"
thread float &a35(float x) { thread float &r = 1.0f; return r; } // ERROR 48 reference-binding "bind"
void a36(device void *p) { *p = 0; } // ERROR 28 void-pointer "void"
typedef float *ptr37; // ERROR 15 missing-address-space "address space"
using ptr38 = float &; // ERROR 21 missing-address-space "address space"
constant float g40 = g41; // ERROR 22 undeclared "g41"
constant float g41 = 1.0f;
void a42(volatile device float *p) { device float *q = p; } // ERROR 52 drops-const "cannot initialize a variable of type 'device float \*' with an lvalue of type 'volatile device float \*'"
void a43() { const int n = 3; thread int *p = &n; } // ERROR 43 drops-const "cannot initialize a variable of type 'thread int \*' with an rvalue of type 'const thread int \*'"
void a44() { thread int *p = &3; } // ERROR 30 address-of "address of"
