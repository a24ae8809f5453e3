// Functions, structs, enums, namespaces (2.1).
#include <metal_stdlib>
using namespace metal;

int d1(int x) { return x; }
float d1(int x) { return x; } // ERROR 7 overload-result "functions that differ only in their return type cannot be overloaded: 'd1' returns 'float' here"
int d2(int x) { return x; }
int d2(int y) { return y; } // ERROR 5 redefined "redefinition of 'd2'"
int d3(int x, int y = 1) { return x + y; }
int e3() { return d3(); } // ERROR 19 argument-count "d3"
int e4() { return d3(1, 2, 3); } // ERROR 19 argument-count "d3"
int d5(int x = 1, int y) { return x; } // ERROR 19 default-argument "default"
int d6(float x) { return 0; }
int d6(half x) { return 1; }
int e6(int x) { return d6(x); } // ERROR 24 ambiguous-call "ambiguous"
int d7(float4 v) { return 0; }
int e7(float3 v) { return d7(v); } // ERROR 27 vector-conversion "no matching function for call to 'd7'"
int d8(int x);
kernel void k8(device int *p [[buffer(0)]]) { p[0] = d8(1); } // ERROR 54 undefined-function "never defined"
struct S9 { int a; int a; }; // ERROR 24 redeclared "a"
struct S10 { S10 inner; }; // ERROR 14 incomplete-type "S10"
struct S11 { int a; };
int e11(S11 s) { return s.b; } // ERROR 27 no-member "no member named 'b' in 'S11'"
int e12(thread S11 *s) { return s.a; } // ERROR 34 arrow "->"
int e13(S11 s) { return s->a; } // ERROR 26 arrow "->|pointer"
S11 e14() { return {1, 2}; } // ERROR 24 initialiser-count "excess elements in struct initializer"
S11 e15(int x) { S11 s = x; return s; } // ERROR 22 conversion "no viable conversion from 'int' to 'S11'"
S11 e16(S11 a, S11 b) { return a + b; } // ERROR 34 operands "invalid operands .*'S11'"
bool e17(S11 a, S11 b) { return a == b; } // ERROR 35 operands "invalid operands .*'S11'"
int e18(S11 a) { if (a) { return 1; } return 0; } // ERROR 22 condition "value of type 'S11' is not contextually convertible to 'bool"
struct S11 { int b; }; // ERROR 8 redeclared "redefinition of 'S11'"
enum E19 { A19, B19 };
E19 e19() { return 1; } // ERROR 20 conversion "cannot initialize return object of type 'E19' with an rvalue of type 'int'"
enum class E20 { A, B };
int e20() { return E20::A; } // ERROR 20 conversion "cannot initialize return object of type 'int' with an rvalue of type 'E20'"
E20 e21() { return A; } // ERROR 20 undeclared "A"
E20 e22() { return E20::C; } // ERROR 25 undeclared "C"
enum E23 { A19 }; // ERROR 12 redeclared "A19"
namespace n24 { int f(int x) { return x; } }
int e24() { return f(1); } // ERROR 20 undeclared "f"
int e25() { return n24::g(1); } // ERROR 25 undeclared "g"
int e26() { return nosuch::f(1); } // ERROR 20 undeclared "nosuch"
using namespace nosuch2; // ERROR 1 undeclared "nosuch2"
int e28() { int a[0]; return 0; } // ERROR 19 array-length "length"
int e29(int n) { int a[n]; return a[0]; } // ERROR 24 not-constant "constant"
int e30() { int a[2] = {1, 2, 3}; return a[0]; } // ERROR 31 initialiser-count "3|too many"
int e31() { int a[2]; return a[2]; } // a warning only: the fault shows when it is executed
int e32() { int a[2]; int b[2]; a = b; return 0; } // ERROR 35 not-assignable "array"
int e33() { int a[]; return 0; } // ERROR 17 array-length "length"
int e38() { for (int i = 0; i < 3; i++) { } return i; } // ERROR 52 undeclared "i"
struct S39 { int f() { return g; } }; // ERROR 31 undeclared "g"
struct S41 { const int a; };
void e41(S41 s) { s.a = 1; } // ERROR 23 write-const "const"
int e42(const S11 s) { s.a = 1; return 0; } // ERROR 28 write-const "const"
struct S43 { int x; int f() { return x; } };
int e43(const thread S43 &s) { return s.f(); } // ERROR 41 this-space "no matching function for call to 'f'"
int e44(int x) { x = 1; int &r = x; return r; } // ERROR 29 missing-address-space "address space"
int e45(thread int &r); 
int e46() { thread int &r; return r; } // ERROR 25 uninitialised "initialis"
int e47() { d1(1) = 2; return 0; } // ERROR 19 not-assignable "assign|left"
int d48(int x) { if (x > 0) { return 1; } }
int e49() { return d1; } // ERROR 20 function-value "d1"
union U51 { int i; float f; };
int e51() { U51 u = {1, 2.0f}; return u.i; } // ERROR 25 initialiser-count "2|too many|union"
namespace n53 { int g(int x) { return x; } }
namespace a53 = n53;
namespace a53 { int h(int x) { return x; } } // ERROR 1 redeclared "a53"
namespace b53 = nosuch; // ERROR 17 undeclared "nosuch"
