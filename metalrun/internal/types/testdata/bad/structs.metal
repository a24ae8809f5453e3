// Structs, unions, enumerations and their initialisation (2.1).
#include <metal_stdlib>
using namespace metal;

struct Pair { int a; float b; };
struct Made { int x; Made(int v) : x(v) {} };
struct Gone { int x; Gone() = delete; };
struct Holder { struct Inner { int x; }; int get() { return 1; } int v; };
enum Plain { P0, P1 };
struct S1 : Plain { int x; }; // ERROR 13 base "cannot be a base"
struct S2 { constexpr int n = 1; }; // ERROR 13 static-member "static"
struct S3 { int x : 3; }; // ERROR 21 unsupported "bit-fields"
struct S4 { thread int &r; };
struct S5 { device int x; }; // ERROR 13 address-space "address space"
struct S6 { auto x; }; // ERROR 13 auto "auto"
struct S7 { int S7; }; // ERROR 13 redeclared "name of its struct"
struct S8 { void v; }; // ERROR 13 void-object "void"
struct S9 { int a[]; }; // ERROR 13 array-length "length"
struct alignas(3) S10 { int x; }; // ERROR 8 alignment "power of two"
struct S11 { kernel void k(device int *p [[buffer(0)]]) {} }; // ERROR 14 kernel-member "member"
struct S12 { int f(); int f(); }; // ERROR 27 redeclared "class member cannot be redeclared: 'S12::f'"
enum E13 : float { A13 }; // ERROR 12 enum-type "integer type"
enum E14 : uchar { A14 = 300 }; // ERROR 20 enum-range "does not fit"
enum E15 { A15 = 1.5f }; // ERROR 18 not-integer "integer"
enum class E17 { A17, A17 }; // ERROR 23 redeclared "redefinition of enumerator 'A17'"
Pair s18() { Pair p = {1, 2.0f, 3}; return p; } // ERROR 33 initialiser-count "at most 2"
Pair s19() { Pair p = {.c = 1}; return p; } // ERROR 29 designator "no field c"
Pair s20() { Pair p = {.b = 1.0f, .a = 1}; return p; } // ERROR 40 designator "order"
Pair s21() { Pair p = {.a = 1, 2.0f}; return p; } // ERROR 32 designator "mixed"
Pair s22(float x) { Pair p = {x, x}; return p; } // ERROR 31 narrowing "narrowing"
int s23(float x) { int a[1] = {x}; return a[0]; } // ERROR 32 narrowing "narrowing"
int s24() { uchar c{300}; return c; } // ERROR 21 narrowing "narrowing"
int s25() { int a[2] = {1, 2}; int b[2] = a; return b[0]; } // ERROR 43 array-copy "braced list"
int s26() { Made m; return m.x; } // ERROR 13 no-default "no default constructor"
int s27() { Made m(1, 2); return m.x; } // ERROR 19 argument-count "no matching constructor for call to 'Made'"
int s28() { Gone g; return 0; } // ERROR 13 deleted "deleted"
int s29(Holder h) { return h.get; } // ERROR 29 member-call "called"
int s30() { return Holder::v; } // ERROR 20 no-object "object"
int s31(Holder h) { return h.Inner; } // ERROR 30 no-member "no member named 'Inner' in 'Holder'"
int s32() { return this->x; } // ERROR 20 no-object "member functions"
int s33(Holder h) { return h(1); } // ERROR 29 not-function "called object type 'Holder' is not a function or function pointer"
int s34(Holder h) { return h[0]; } // ERROR 29 index "subscripted value of type 'Holder' is not an array, pointer, or vector"
int s35(Holder h) { return h.get(1); } // ERROR 29 argument-count "no matching function for call to 'get'"
int s36(Holder h) { return h.nosuch(); } // ERROR 29 no-member "nosuch"
int s37(Holder h) { return -h; } // ERROR 28 operands "invalid argument type 'Holder' to unary expression"
int s38(Holder h) { h++; return 0; } // ERROR 22 operands "invalid argument type 'Holder' to unary expression"
int s39(Holder h, Holder g) { return h < g; } // ERROR 40 operands "invalid operands .*'Holder'"
int s40(Holder h) { return (int)h; } // ERROR 28 cast "cast"
int s41(Pair p) { return Made(p).x; } // ERROR 26 conversion "no matching constructor for call to 'Made'"
int s42(Pair p, Holder h) { p = h; return 0; } // ERROR 33 conversion "want Pair"
int s43() { Pair p = Pair{1, 2.0f, 3}; return p.a; } // ERROR 36 initialiser-count "at most 2"
int s44() { union { int i; float f; } u = {.f = 1.0f}; return u.i; } // ERROR 49 unsupported "first field"
int s45() { Plain p = 1; return p; } // ERROR 23 conversion "want Plain"
int s46(Plain p) { p++; return p; } // ERROR 21 operands "invalid argument type 'Plain' to unary expression"
int s47(Plain p) { p = 0; return p; } // ERROR 24 conversion "want Plain"
struct S48 { int g() const { x = 1; return x; } int x; }; // ERROR 32 write-const "const"
struct S49 { int x; static int h() { return x; } }; // ERROR 45 no-object "object"
typedef int pair50[2];
pair50 s50(); // ERROR 1 array-result "array"
constant Pair s51 = {1, 2.0f};
int s52() { return s51.get(); } // ERROR 23 no-member "get"
int s53(device Holder *h) { return h->get(); } // ERROR 37 this-space "no matching function for call to 'get'"
int s54(const thread Pair &p) { p.a = 1; return 0; } // ERROR 37 write-const "const"
int s55(Pair p) { return p.a.b; } // ERROR 29 no-member "member reference base type 'int' is not a structure or union"
