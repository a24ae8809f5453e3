// Templates (2.8).
#include <metal_stdlib>
using namespace metal;

template <typename T> T p1(T x, T y) { return x + y; }
float q1(float x) { return p1(x, 1); } // ERROR 28 no-deduction "p1"
template <typename T> T p2() { return T(0); }
float q2() { return p2(); } // ERROR 21 no-deduction "p2"
float q3() { return p2<float, int>(); } // ERROR 21 no-deduction "p2"
template <int N> int p4() { return N; }
int q4(int x) { return p4<x>(); } // ERROR 27 not-constant "constant"
int q5() { return p4<float>(); } // ERROR 19 no-deduction "p4"
int q6() { return p2<1>(); } // ERROR 19 no-deduction "p2"
template <typename T> T p7(T x) { return x.nosuch; } // ERROR 43 no-member "member reference base type 'float' is not a structure or union"
float q7(float x) { return p7(x); }
template <typename T> T p8(T x) { return undeclared8(x); } // ERROR 42 undeclared "undeclared8"
float q8(float x) { return p8(x); }
template <typename T> kernel void p9(device T *p [[buffer(0)]]) { p[0] = T(0); }
template [[host_name("p9_a")]] kernel void p9<float>(device int *); // ERROR 1 instantiation-type "p9"
template [[host_name("p9_c")]] kernel decltype(p9<float>) p9<int>; // ERROR 1 instantiation-type "p9"
int p10(int x) { return x; }
template <typename T, int N> struct P11 { T a[N]; }; // ERROR 47 array-length "length -1"
float q11() { P11<float> s; return s.a[0]; } // ERROR 15 template-arguments "P11"
float q12() { P11<float, 2, 3> s; return s.a[0]; } // ERROR 15 template-arguments "P11"
float q13() { P11<2, float> s; return s.a[0]; } // ERROR 15 template-arguments "want a type"
float q14() { P11<float, -1> s; return 0; }
template <typename T> T p15(T x) { static_assert(sizeof(T) == 4, "T has four bytes"); return x; } // ERROR 36 static-assert "four bytes"
half q15(half x) { return p15(x); }
template <typename T> int p40(T x) { return T::size + x; } // ERROR 45 no-member "^type 'int' cannot be used prior to '::' because it has no members$"
int q40() { return p40(1); }
int p42(thread int &x) { return x; }
int q42(int x) { return p42(static_cast<thread int &&>(x)); } // ERROR 25 reference-binding "no matching function for call to 'p42'"
template <typename T, typename T> struct P50 {}; // ERROR 23 redeclared "shadows template parameter"
template <int N, int M = N + 1, typename T> struct P51 {}; // ERROR 33 template-parameter "missing a default argument"
template <typename... T, typename U> struct P52 {}; // ERROR 11 template-parameter "must be the last"
template <typename T> struct P53 { T v; T f() { return v + nosuch53; } }; // ERROR 60 undeclared "nosuch53"
template <typename T> T p54(T x) { return late54(x); } // ERROR 43 undeclared "late54"
float late54(float);
float q54(float x) { return p54(x); }
template <typename T> float p55(T x);
template <> float p55(int x) { return late55(x); } // ERROR 39 undeclared "late55"
float late55(int);
auto p56(int x) { if (x) return 1; return 2.0f; } // ERROR 36 auto "deduced as 'float' here but deduced as 'int'"
struct P57 { const int a; };
void p57() { P57 s; } // ERROR 18 no-default "P57"
