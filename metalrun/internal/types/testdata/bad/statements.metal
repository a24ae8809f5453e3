// Functions, statements and expressions (2.1, 2.5).
#include <metal_stdlib>
using namespace metal;

struct S1 { int; }; // ERROR 13 empty-declaration "declare anything"
int f1() { int g(int x); int h(); int; static float; return 'ab'; } // ERROR 31 empty-declaration "^empty parentheses interpreted as a function declaration .-Wvexing-parse.$" ERROR 35 empty-declaration "^declaration does not declare anything .-Wmissing-declarations.$" ERROR 40 empty-declaration "declare anything" ERROR 61 characters "^multi-character character constant .-Wmultichar.$"
void f2(device float x) {} // ERROR 9 parameter-space "device memory"
device float f3(device float *p) { return *p; } // ERROR 1 result-space "device memory"
void f4(int a[]) {}
typedef int func5(int);
void g5() { func5 a[2]; } // ERROR 20 array-element "functions"
typedef thread int &ref6;
void g6(thread ref6 *p) {} // ERROR 21 pointer-to-reference "pointer to a reference"
void f7() { typedef thread int &r; r a[2]; } // ERROR 39 array-element "references"
int f8(int x) { int y = 1; { int y = 2; int y = 3; } return y; } // ERROR 45 redeclared "redefinition of 'y'"
int f9() { struct L { int g() { return v; } int w; }; int v = 1; L l; return l.g() + v; } // ERROR 40 undeclared "v"
int f10(int v) { struct L { int g() { return v; } }; L l; return l.g(); } // ERROR 46 outer-variable "enclosing function"
void f11() {}
int g11(int x) { return max(x, f11()); } // ERROR 35 void-value "void"
int g12() { int x = f11(); return x; } // ERROR 17 conversion "cannot initialize a variable of type 'int' with an rvalue of type 'void'"
int g13() { return f11(); } // ERROR 23 void-value "void"
void g14(bool b) { int x = b ? f11() : 1; } // ERROR 30 operands "choose"
int f15(int x) { switch (x) { case 1.5f: return 1; } return 0; } // ERROR 36 case-type "integer"
int f17(int x) { switch (x) { case 1: int y = 1; return y; case 2: return 2; } return 0; } // ERROR 60 jump-past-initialisation "jumps"
enum class E18 { A, B };
int f18(E18 e) { switch (e) { case 1: return 1; } return 0; } // ERROR 36 case-type "want E18"
int f19(int x) { for (int y : x) { return y; } return 0; } // ERROR 31 range "invalid range expression of type 'int'; no viable 'begin' function ava"
int f20(float2 v) { for (; v;) { v -= 1; } return 0; } // ERROR 28 condition "value of type 'float2' .vector of 2 'float' values. is not contextuall"
int f21(float2 v) { do { v -= 1; } while (v); return 0; } // ERROR 43 condition "value of type 'float2' .vector of 2 'float' values. is not contextuall"
int f22() { int a[2.5f]; return 0; } // ERROR 19 not-integer "integer"
int f23() { int a[0xffffffffffffffff]; return 0; } // ERROR 19 constant-range "large"
int f24() { int a[-1]; return 0; } // ERROR 19 array-length "length"
int f25() { int a[1 << 30]; return 0; } // ERROR 21 array-length "large"
int f26(int x) { return sizeof(f11); } // ERROR 25 sizeof "size"
int f27(int x) { return x + "b"; } // ERROR 25 conversion "const constant char"
int f28(int x) { &x = 1; return x; } // ERROR 21 not-assignable "left side|assign"
int f29(int x) { return &(x + 1) != 0; } // ERROR 25 address-of "address"
int f30(const int x) { x++; return x; } // ERROR 25 write-const "const"
int f31(constant int &x) { x--; return 0; } // ERROR 29 write-constant "constant"
int f32(float3 v) { v.xyz++; v.rgb.xy = 1; v.xx++; return 0; } // ERROR 48 not-assignable "value|assign"
int f33(int x) { (float)x = 1.0f; return x; } // ERROR 27 not-assignable "left side|assign"
int f34(float x) { return static_cast<thread int *>(&x) != nullptr; } // ERROR 27 cast "reinterpret"
int f35(const thread int *p) { return *const_cast<thread float *>(p); } // ERROR 40 cast "qualifiers"
int f36(int x) { return reinterpret_cast<float>(x); } // ERROR 25 cast "reinterpret_cast"
int f37(const thread float *p) { *static_cast<thread float *>(p) = 1; return 0; } // ERROR 35 drops-const "qualifier"
float f38(int x) { return float(x, x); } // ERROR 27 construct "one argument"
float f39() { float x{1, 2}; return x; } // ERROR 22 initialiser-count "2 initialisers|one"
int f40(auto x) { return x; } // ERROR 9 auto "auto"
int f41() { auto x = {1, 2}; return 0; } // ERROR 22 auto "auto"
int f42(int x) { auto *p = x; return 0; } // ERROR 28 auto "pointer"
int f43(device int *p) { auto &r = *p; thread int &s = r; return s; } // ERROR 56 address-space "thread memory"
extern int f44; // ERROR 12 program-scope "constant"
int f45(int x) { extern int y; return x; } // ERROR 18 unsupported "extern"
int e90() { { int local90(int); local90(1); } return local90(2); } // ERROR 54 undeclared "local90"
int e91() { float local91(int); int local91(int); return 'vwxyz'; } // ERROR 37 overload-result "local91" ERROR 58 characters "^character constant too long for its type$"
template <typename T> T t92(T x) { T y = x + nowhere92; auto z = [=](T w) { return w + x; }; return from_args92(y) + none92() + z(x); } // ERROR 46 undeclared "^use of undeclared identifier 'nowhere92'$" ERROR 118 undeclared "none92"
template <typename T, int... N> int t93(T x, thread T *p) { int s = sizeof...(N); for (T e : {x}) s += int(e); if (int k = s) s += k; return s + int(later93) + INT_MAX + max(s, 1); } // ERROR 150 undeclared "later93"
constant int later93 = 3;
struct Base95 { int held95; };
struct S95 : Base95 { template <typename T> T t(T x) const { return x + held95 + after95 + nowhere95; } int after95; template <typename T> int u(T x) { return of95(x) + size95; } static constexpr constant int size95 = 2; }; // ERROR 92 undeclared "^use of undeclared identifier 'nowhere95'$"
template <typename T> struct S96 { template <typename U> U t(U x) { return x + this->later96 + later96; } T later96; };
void s94() { auto x = 1, y = 2, z = 2.0f; const auto u = 1u, v = 1; float f = 1, g[2]; auto p = &f, q = &g[0]; (void)x; (void)y; (void)z; (void)u; (void)v; (void)p; (void)q; } // ERROR 14 auto "^'auto' deduced as 'int' in declaration of 'x' and deduced as 'float' in declaration of 'z'$" ERROR 49 auto "'u' and deduced as 'int'"
