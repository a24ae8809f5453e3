// Address spaces (2.6).
#include <metal_stdlib>
using namespace metal;

float a1(float *p) { return *p; } // ERROR "address space"
float a2(float &r) { return r; } // ERROR "address space"
float a3(const float *p) { return *p; } // ERROR "address space"
float a4(float p[4]) { return p[0]; } // ERROR "address space"
float *a5(thread float *p) { return p; } // ERROR "address space"
int g6; // ERROR "constant"
float g7 = 1.0f; // ERROR "constant"
const float g8 = 1.0f; // ERROR "constant"
device float g9; // ERROR "constant"
threadgroup float g10[4]; // ERROR "constant|kernel"
constant float g11; // ERROR "initialis"
constant float g12 = 1.0f;
void a12() { g12 = 2.0f; } // ERROR "constant"
constant float g13[2] = {1.0f, 2.0f};
void a13() { g13[1] = 2.0f; } // ERROR "constant"
void a14(constant float *p) { *p = 1.0f; } // ERROR "constant"
void a15(constant float &r) { r += 1.0f; } // ERROR "constant"
void a16(const device float *p) { p[0] = 1.0f; } // ERROR "const"
void a17(device float *p) { thread float *q = p; } // ERROR "address space"
void a18(device float *p) { constant float *q = p; } // ERROR "address space"
void a19(device float *p) { thread float *q = (thread float *)p; } // ERROR "address space"
void a20(device float *p) { auto q = reinterpret_cast<threadgroup float *>(p); } // ERROR "address space"
void a21(const device float *p) { device float *q = p; } // ERROR "qualifier"
float a22(thread float &r) { return r; }
float b22(device float *p) { return a22(p[0]); } // ERROR "a22"
float a23(device float *p) { return p[0]; }
float b23() { float x[4]; return a23(x); } // ERROR "a23"
void a24() { threadgroup float scratch[4]; } // ERROR "kernel"
void a25() { device float x; } // ERROR "device"
void a26() { constant float x = 1.0f; } // ERROR "constant"
kernel void a27(device float *out [[buffer(0)]]) { threadgroup float s = 1.0f; out[0] = s; } // ERROR "initialis"
kernel void a28(device float *out [[buffer(0)]]) { threadgroup float s[2] = {1, 2}; out[0] = s[0]; } // ERROR "initialis"
constant int g29 = undeclared; // ERROR "undeclared"
int notconst(int x) { return x; }
constant int g30 = notconst(1); // ERROR "constant"
float a31(thread float *p) { return *p; }
float b31() { return a31(&g12); } // ERROR "a31"
struct S32 { float *p; }; // ERROR "address space"
void a33(device float *p, threadgroup float *q, bool b) { auto r = b ? p : q; } // ERROR "choose"
bool a34(device float *p, threadgroup float *q) { return p == q; } // ERROR "=="
thread float &a35(float x) { thread float &r = 1.0f; return r; } // ERROR "bind"
void a36(device void *p) { *p = 0; } // ERROR "void"
typedef float *ptr37; // ERROR "address space"
using ptr38 = float &; // ERROR "address space"
template <typename T> T a39(T *p) { return *p; } // ERROR "address space"
constant float g40 = g41; // ERROR "g41"
constant float g41 = 1.0f;
void a42(volatile device float *p) { device float *q = p; } // ERROR "qualifier"
void a43() { const int n = 3; thread int *p = &n; } // ERROR "qualifier"
void a44() { thread int *p = &3; } // ERROR "address of"
