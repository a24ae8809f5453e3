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
struct S3 { float x : 3; }; int s3f(S3 s) { return int(s.x); } // ERROR 19 bit-field "^bit-field 'x' has non-integral type 'float'$"
struct S3w { int x : 33; int y : 0; int z : -1; }; int s3w(S3w s) { return s.x + s.y + s.z; } // ERROR 18 bit-field "^width of bit-field 'x' .33 bits. exceeds the width of its type" ERROR 30 bit-field "^named bit-field 'y' has zero width$" ERROR 41 bit-field "^bit-field 'z' has negative width"
struct S3d { ~S3d(int x) {} }; // ERROR 14 argument-count "parameters"
struct S4 { thread int &r; };
struct S5 { device int x; }; // ERROR 13 address-space "address space"
struct S6 { auto x; }; // ERROR 13 auto "auto"
struct S7 { int S7; }; // ERROR 17 redeclared "name of its struct"
struct S8 { void v; }; // ERROR 13 void-object "void"
struct S9 { int b; int a[]; int c; }; // ERROR 24 array-length "not at the end"
struct alignas(3) S10 { int x; }; // ERROR 8 alignment "power of two"
struct S11 { kernel void k(device int *p [[buffer(0)]]) {} }; // ERROR 14 kernel-member "member"
struct S12 { int f(); int f(); }; // ERROR 27 redeclared "class member cannot be redeclared: 'S12::f'"
enum E13 : float { A13 }; // ERROR 12 enum-type "integer type"
enum E14 : uchar { A14 = 300 }; // ERROR 20 enum-range "does not fit"
enum E15 { A15 = 1.5f }; // ERROR 18 not-integer "integer"
enum class E17 { A17, A17 }; // ERROR 23 redeclared "redefinition of enumerator 'A17'"
Pair s18() { Pair p = {1, 2.0f, 3}; return p; } // ERROR 33 initialiser-count "excess elements in struct initializer"
Pair s19() { Pair p = {.c = 1}; return p; } // ERROR 29 designator "field designator .c. does not refer to any field in type .Pair."
Pair s20() { Pair p = {.b = 1.0f, .a = 1}; return p; }
Pair s21() { Pair p = {.a = 1, 2.0f, 3}; return p; } // ERROR 38 initialiser-count "excess elements in struct initializer"
Pair s22(float x) { Pair p = {x, x}; return p; } // ERROR 31 narrowing "narrowing"
int s23(float x) { int a[1] = {x}; return a[0]; } // ERROR 32 narrowing "narrowing"
int s24() { uchar c{300}; return c; } // ERROR 21 narrowing "narrowing"
int s25() { int a[2] = {1, 2}; int b[2] = a; return b[0]; } // ERROR 43 array-copy "braced list"
int s26() { Made m; return m.x; } // ERROR 18 no-default "no default constructor"
int s27() { Made m(1, 2); return m.x; } // ERROR 18 argument-count "no matching constructor for call to 'Made'"
int s28() { Gone g; return 0; } // ERROR 18 deleted "deleted"
int s29(Holder h) { return h.get; } // ERROR 29 member-call "called"
int s30() { return Holder::v; } // ERROR 20 no-object "object"
int s31(Holder h) { return h.Inner; } // ERROR 30 no-member "no member named 'Inner' in 'Holder'"
int s32() { return this->x; } // ERROR 20 no-object "member functions"
int s33(Holder h) { return h(1); } // ERROR 29 not-function "type 'Holder' does not provide a call operator"
int s34(Holder h) { return h[0]; } // ERROR 29 index "type 'Holder' does not provide a subscript operator"
int s35(Holder h) { return h.get(1); } // ERROR 30 argument-count "no matching function for call to 'get'"
int s36(Holder h) { return h.nosuch(); } // ERROR 30 no-member "nosuch"
int s37(Holder h) { return -h; } // ERROR 28 operands "invalid argument type 'Holder' to unary expression"
int s38(Holder h) { h++; return 0; } // ERROR 22 operands "invalid argument type 'Holder' to unary expression"
int s39(Holder h, Holder g) { return h < g; } // ERROR 40 operands "invalid operands .*'Holder'"
int s40(Holder h) { return (int)h; } // ERROR 28 cast "cast"
int s41(Pair p) { return Made(p).x; } // ERROR 26 conversion "no matching constructor for call to 'Made'"
int s42(Pair p, Holder h) { p = h; return 0; } // ERROR 33 conversion "assigning to 'Pair' from incompatible type 'Holder'"
int s43() { Pair p = Pair{1, 2.0f, 3}; return p.a; } // ERROR 36 initialiser-count "excess elements in struct initializer"
int s44() { union { int i; float f; } u = {.f = 1.0f}; return u.i; }
int s45() { Plain p = 1; return p; } // ERROR 19 conversion "cannot initialize a variable of type 'Plain' with an rvalue of type 'int'"
int s46(Plain p) { p++; return p; } // ERROR 21 operands "invalid argument type 'Plain' to unary expression"
int s47(Plain p) { p = 0; return p; } // ERROR 24 conversion "assigning to 'Plain' from incompatible type 'int'"
struct S48 { int g() const { x = 1; return x; } int x; }; // ERROR 32 write-const "const"
struct S49 { int x; static int h() { return x; } }; // ERROR 45 no-object "object"
typedef int pair50[2];
pair50 s50(); // ERROR 1 array-result "array"
constant Pair s51 = {1, 2.0f};
int s52() { return s51.get(); } // ERROR 24 no-member "get"
int s53(device Holder *h) { return h->get(); } // ERROR 39 this-space "no matching function for call to 'get'"
int s54(const thread Pair &p) { p.a = 1; return 0; } // ERROR 37 write-const "const"
int s55(Pair p) { return p.a.b; } // ERROR 29 no-member "member reference base type 'int' is not a structure or union"
struct Outside { static constant int a; static constant int b; };
constant int Outside::a = 1;
constant int Outside::a = 2; // ERROR 23 redefined "has its value already"
constant float Outside::b = 1; // ERROR 25 redeclared "redefinition of 'b' with a different type"
int outside() { return Outside::a; }
template <typename T> struct OutsideOf { static constant T a; };
template <typename T> constant T OutsideOf<T>::a = 1;
template <typename U> constant U OutsideOf<U>::a = 2; // ERROR 48 redefined "redefinition of 'a'"
