// Overloads and templates (2.1, 2.8).
#include <metal_stdlib>
using namespace metal;

int o1(float4 v) { return 0; }
int o1(float3 v) { return 1; }
int p1(float2 v) { return o1(v); } // ERROR 27 no-match "no matching function for call to 'o1'"
int o2(int x) { return x; }
int o2(int x, int y) { return x + y; }
int p2() { return o2(); } // ERROR 19 no-match "no matching function for call to 'o2'"
int o3(int x, float y) { return 0; }
int o3(float x, int y) { return 1; }
int p3() { return o3(1, 1); } // ERROR 19 ambiguous-call "ambiguous"
int o4(device int *p) { return 0; }
int o4(constant int *p) { return 1; }
int p4(threadgroup int *p) { return o4(p); } // ERROR 37 no-match "no matching function for call to 'o4'"
int o5(thread int &x) { return x; }
int p5() { return o5(1); } // ERROR 19 reference-binding "no matching function for call to 'o5'"
int p6(const thread int &x) { return o5(x); } // ERROR 38 drops-const "no matching function for call to 'o5'"
int p7(float x) { return o5(x); } // ERROR 26 reference-binding "no matching function for call to 'o5'"
int o8(int x) = delete;
int p8() { return o8(1); } // ERROR 19 deleted "deleted"
template <typename T> struct Box { T value; };
template <float X> struct F9 { float x; }; // ERROR 11 template-parameter "template parameter"
float p9() { F9<1.0f> s; return 0; }
template <int N> int o10() { return o10<N + 1>(); } // ERROR 18 template-depth "nested"
int p10() { return o10<0>(); }
template <typename T> T o11(T x) { return x; }
int p11(int x) { return o11(x); }
template <> int o11<int>(int x) { return -x; } // ERROR 17 specialisation "after"
template <typename T> void o12(device T *p) {}
template [[host_name("o12_int")]] kernel void o12<int>(device int *); // ERROR 1 kernel-mismatch "kernel"
struct S13 { int g(int x) { return x; } };
int p13(S13 s) { return s.template g<int>(1); } // ERROR 27 not-template "no matching function for call to 'g'"
int o14(int x, int x2 = 1);
int o14(int x, int x2 = 2) { return x; } // ERROR 25 redeclared "already"
template <typename T, int N> T o15(thread T (&a)[N]) { return a[0]; }
int p15(thread int *p) { return o15(p); } // ERROR 33 no-deduction "no matching function for call to 'o15'"
template <typename T> T o16(vec<T, 3> v) { return v.x; }
float p16(float4 v) { return o16(v); } // ERROR 30 vector-conversion "no matching function for call to 'o16'"
template <int N> int o17() { static_assert(N > 0, "N is positive"); return N; } // ERROR 30 static-assert "N is positive"
int p17() { return o17<0>(); }
Box<int> p18(Box<float> b) { return b; } // ERROR 37 conversion "no viable conversion from 'Box<float>' to 'Box<int>'"
int p19() { Box b; return 0; } // ERROR 13 template-arguments "needs arguments"
template <typename T> using Alias = vec<T, 3>;
float2 p20(Alias<float> v) { return v; } // ERROR 37 vector-conversion "vector"
kernel void k21(device int *p [[buffer(0)]]) {}
int p21() { auto f = k21; return 0; } // ERROR 22 function-value "no pointer to"
namespace n22 { int f(int x) { return x; } }
int p22() { return sizeof(typename n22::f); } // ERROR 27 not-type "no type"
int p23(device int *p) { threadgroup_barrier(p); return 0; } // ERROR 26 no-builtin "mem_flags"
int p24() { return p25(); } // ERROR 20 undeclared "p25"
int p25() { return 1; }
namespace n26 { constant int c = 1; }
int p26() { return c; } // ERROR 20 undeclared "c"
int p27() { using n26::d; return 0; } // ERROR 24 undeclared "d"
float4 o28() { return float4({1, 2}, 3, 4); } // ERROR 30 braced-list "braced list"
struct S29 { struct T { int x; }; };
template <typename A> int o29() { return A::T; } // ERROR 42 not-value "type, not a value"
int p29() { return o29<S29>(); }
int operator+(int a, float b) { return a; } // ERROR 1 operator-parameter "operator. needs"
float4 operator*(float4 a, half4 b) { return a; } // ERROR 1 operator-parameter "needs a parameter"
struct Own { int value; };
Own operator+(int x) { return {x}; } // ERROR 1 operator-parameter "needs a parameter of struct"
Own plus(Own p) { return p + p; } // ERROR 28 operands "invalid operands to binary expression"
int own(void x, int y) { return own(y); } // ERROR 9 void-object "an object cannot have type void"
int endless() {
    array<int, 4294967295u> a; // ERROR 5 array-length "too large: 4294967295 elements"
    return a[0]; // ERROR 13 index "type 'metal::array<int, 4294967295>' does not provide a subscript operator"
}

// Default arguments are checked where they are declared, whether a call leaves the argument out or not.
int read_before(int a, int b = a) { return b; } // ERROR 32 default-argument "references parameter 'a'"
int read_itself(int a = a + 1) { return a; } // ERROR 25 default-argument "references parameter 'a'"
int sized_before(int a, int b = sizeof(a)) { return b; }
template <typename T> T of_template(T a, T b = a) { return b; } // ERROR 48 default-argument "references parameter 'a'"
int of_nothing(int a = not_there) { return a; } // ERROR 24 undeclared "'not_there'"
int of_another_type(int a = float4(1)) { return a; } // ERROR 29 vector-conversion "float4"
struct WithDefaults {
    int kept;
    int of_member(int a = kept) const { return a; } // ERROR 27 no-object "a data member needs an object"
    int of_parameter(int a, int b = a); // ERROR 37 default-argument "references parameter 'a'"
    int of_later(int a = later()) const { return a; }
    static int later() { return 3; }
};
