// Functions, structs, enums, namespaces (2.1).
#include <metal_stdlib>
using namespace metal;

int d1(int x) { return x; }
float d1(int x) { return x; } // ERROR "d1"
int d2(int x) { return x; }
int d2(int y) { return y; } // ERROR "d2"
int d3(int x, int y = 1) { return x + y; }
int e3() { return d3(); } // ERROR "d3"
int e4() { return d3(1, 2, 3); } // ERROR "d3"
int d5(int x = 1, int y) { return x; } // ERROR "default"
int d6(float x) { return 0; }
int d6(half x) { return 1; }
int e6(int x) { return d6(x); } // ERROR "ambiguous"
int d7(float4 v) { return 0; }
int e7(float3 v) { return d7(v); } // ERROR "d7"
int d8(int x);
kernel void k8(device int *p [[buffer(0)]]) { p[0] = d8(1); } // ERROR "never defined"
struct S9 { int a; int a; }; // ERROR "a"
struct S10 { S10 inner; }; // ERROR "S10"
struct S11 { int a; };
int e11(S11 s) { return s.b; } // ERROR "b"
int e12(thread S11 *s) { return s.a; } // ERROR "->"
int e13(S11 s) { return s->a; } // ERROR "->|pointer"
S11 e14() { return {1, 2}; } // ERROR "2|too many"
S11 e15(int x) { S11 s = x; return s; } // ERROR "want S11"
S11 e16(S11 a, S11 b) { return a + b; } // ERROR "[+]"
bool e17(S11 a, S11 b) { return a == b; } // ERROR "=="
int e18(S11 a) { if (a) { return 1; } return 0; } // ERROR "condition"
struct S11 { int b; }; // ERROR "S11"
enum E19 { A19, B19 };
E19 e19() { return 1; } // ERROR "want E19"
enum class E20 { A, B };
int e20() { return E20::A; } // ERROR "want int"
E20 e21() { return A; } // ERROR "A"
E20 e22() { return E20::C; } // ERROR "C"
enum E23 { A19 }; // ERROR "A19"
namespace n24 { int f(int x) { return x; } }
int e24() { return f(1); } // ERROR "f"
int e25() { return n24::g(1); } // ERROR "g"
int e26() { return nosuch::f(1); } // ERROR "nosuch"
using namespace nosuch2; // ERROR "nosuch2"
typedef nosuch3 t27; // ERROR "nosuch3"
int e28() { int a[0]; return 0; } // ERROR "length"
int e29(int n) { int a[n]; return a[0]; } // ERROR "constant"
int e30() { int a[2] = {1, 2, 3}; return a[0]; } // ERROR "3|too many"
int e31() { int a[2]; return a[2]; } // ERROR "range"
int e32() { int a[2]; int b[2]; a = b; return 0; } // ERROR "array"
int e33() { int a[]; return 0; } // ERROR "length"
int e34() { break; return 0; } // ERROR "break"
int e35() { continue; return 0; } // ERROR "continue"
int e36(int x) { case 1: return x; } // ERROR "case"
int e37(int x) { if (x) int y = 1; return y; } // ERROR "y"
int e38() { for (int i = 0; i < 3; i++) { } return i; } // ERROR "i"
struct S39 { int f() { return g; } }; // ERROR "g"
int e40() { return S39.f(); } // ERROR "S39"
struct S41 { const int a; };
void e41(S41 s) { s.a = 1; } // ERROR "const"
int e42(const S11 s) { s.a = 1; return 0; } // ERROR "const"
struct S43 { int x; int f() { return x; } };
int e43(const thread S43 &s) { return s.f(); } // ERROR "const"
int e44(int x) { x = 1; int &r = x; return r; } // ERROR "address space"
int e45(thread int &r); 
int e46() { thread int &r; return r; } // ERROR "initialis"
int e47() { d1(1) = 2; return 0; } // ERROR "assign|left"
int d48(int x) { if (x > 0) { return 1; } }
int e49() { return d1; } // ERROR "d1"
int e50() { return int; } // ERROR "int"
union U51 { int i; float f; };
int e51() { U51 u = {1, 2.0f}; return u.i; } // ERROR "2|too many|union"
int recurse(int x) { return x <= 0 ? 0 : recurse(x - 1); } // ERROR "recursion"
kernel void k52(device int *p [[buffer(0)]]) { p[0] = recurse(3); }
void e53(int x) { x == 1 ? x : ; } // ERROR "expression"
