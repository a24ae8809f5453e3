// Templates (2.8).
#include <metal_stdlib>
using namespace metal;

template <typename T> T p1(T x, T y) { return x + y; }
float q1(float x) { return p1(x, 1); } // ERROR "p1"
template <typename T> T p2() { return T(0); }
float q2() { return p2(); } // ERROR "p2"
float q3() { return p2<float, int>(); } // ERROR "p2"
template <int N> int p4() { return N; }
int q4(int x) { return p4<x>(); } // ERROR "constant"
int q5() { return p4<float>(); } // ERROR "p4"
int q6() { return p2<1>(); } // ERROR "p2"
template <typename T> T p7(T x) { return x.nosuch; } // ERROR "nosuch"
float q7(float x) { return p7(x); }
template <typename T> T p8(T x) { return undeclared8(x); } // ERROR "undeclared8"
float q8(float x) { return p8(x); }
template <typename T> kernel void p9(device T *p [[buffer(0)]]) { p[0] = T(0); }
template [[host_name("p9_a")]] kernel void p9<float>(device int *); // ERROR "p9"
template [[host_name("p9_b")]] kernel void nosuch9<float>(device float *); // ERROR "nosuch9"
template [[host_name("p9_c")]] kernel decltype(p9<float>) p9<int>; // ERROR "p9"
int p10(int x) { return x; }
template int p10<int>(int); // ERROR "p10"
template <typename T, int N> struct P11 { T a[N]; };
float q11() { P11<float> s; return s.a[0]; } // ERROR "P11"
float q12() { P11<float, 2, 3> s; return s.a[0]; } // ERROR "P11"
float q13() { P11<2, float> s; return s.a[0]; } // ERROR "P11"
float q14() { P11<float, 0> s; return s.a[0]; } // ERROR "P11|length"
template <typename T> T p15(T x) { static_assert(sizeof(T) == 4, "T has four bytes"); return x; } // ERROR "four bytes"
half q15(half x) { return p15(x); }
