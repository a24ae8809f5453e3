// Kernel signatures (2.7).
#include <metal_stdlib>
using namespace metal;

kernel int k1(device int *p [[buffer(0)]]) { return 0; } // ERROR 1 kernel-result "void"
kernel void k2(device int *p [[buffer(0)]], device int *q [[buffer(0)]]) {} // ERROR 45 duplicate-index "buffer"
kernel void k3(device int *p [[buffer(31)]]) {} // ERROR 39 index-limit "31|30"
kernel void k4(device int *p [[buffer(-1)]]) {} // ERROR 39 index-limit "index|30"
kernel void k5(threadgroup int *p [[threadgroup(31)]]) {} // ERROR 49 index-limit "30"
kernel void k6(device int *p [[threadgroup(0)]]) {} // ERROR 32 attribute "threadgroup"
kernel void k7(threadgroup int *p [[buffer(0)]]) {} // ERROR 37 attribute "buffer"
kernel void k8(thread int *p [[buffer(0)]]) {} // ERROR 16 kernel-argument-space "thread"
kernel void k9(device int *p [[buffer(0)]], float i [[thread_position_in_grid]]) {} // ERROR 55 input-type "uint"
kernel void k10(device int *p [[buffer(0)]], int i [[thread_position_in_grid]]) {} // ERROR 54 input-type "uint"
kernel void k11(device int *p [[buffer(0)]], ulong i [[thread_position_in_grid]]) {} // ERROR 56 input-type "uint"
kernel void k12(device int *p [[buffer(0)]], uint4 i [[thread_position_in_grid]]) {} // ERROR 56 input-type "uint"
kernel void k13(device int *p [[buffer(0)]], uint2 i [[thread_index_in_threadgroup]]) {} // ERROR 56 input-type "uint"
kernel void k14(device int *p [[buffer(0)]], uint2 i [[thread_position_in_grid]], uint3 g [[threadgroup_position_in_grid]]) {} // ERROR 13 input-width "number of elements"
kernel void k15(device int *p [[buffer(0)]], uint i [[thread_position_in_grid]], ushort n [[threads_per_grid]]) {} // ERROR 82 input-type-mismatch "type"
kernel void k16(device int *p [[buffer(0)]], uint2 i [[thread_position_in_threadgroup]], ushort2 n [[threads_per_threadgroup]]) {} // ERROR 90 input-type-mismatch "type"
kernel void k17(device int *p [[buffer(0)]], uint i [[thread_position_in_threadgroup]], ushort n [[thread_index_in_threadgroup]]) {} // ERROR 89 input-type-mismatch "uint"
kernel void k18(device int *p [[buffer(0)]], uint i [[no_such_attribute]]) {} // ERROR 46 kernel-argument "invalid type .uint. .aka .unsigned int.. for input declaration in a kernel function" ERROR 55 ignored-attribute "unknown attribute 'no_such_attribute' ignored"
vertex float4 v18(uint i [[vertex_id]]) { return dfdx(nosuch); } // ERROR 15 stage "the vertex function 'v18' is not checked"
[[fragment]] half4 f18() { return 0; } // ERROR 20 stage "fragment"
kernel void k19(device int *p [[buffer(0)]], uint i) {} // ERROR 46 kernel-argument "i"
kernel void k21(device int *p [[buffer(0)]]) {}
kernel void k21(device float *p [[buffer(0)]]) {} // ERROR 13 kernel-overload "kernel 'k21' cannot be overloaded"
[[kernel, host_name("k21")]] void k22(device int *p [[buffer(0)]]) {} // ERROR 11 duplicate-kernel "k21"
template <typename T> kernel void k26(device T *p [[buffer(0)]]) {}
template [[host_name("k26_twice")]] kernel void k26<float>(device float *);
template [[host_name("k26_twice")]] kernel void k26<int>(device int *); // ERROR 12 duplicate-kernel "k26_twice"
kernel void k27(device simdgroup_float8x8 *p [[buffer(0)]]) {} // ERROR 43 simdgroup-matrix "simdgroup"
kernel void k28(device int **p [[buffer(0)]]) {} // ERROR 17 kernel-argument-space "in address space thread"
kernel void k29(device int *p [[buffer(0)]]) { k21(p); } // ERROR 48 kernel-call "kernel"
int main() { return 0; } // ERROR 1 main "main"
kernel void k30(device int *p [[buffer("x")]]) {} // ERROR 40 not-integer "integer"
kernel void k31(device int *p [[buffer]]) {} // ERROR 33 attribute "buffer"
kernel void k33(device int *p [[buffer(0)]], bool b [[thread_index_in_simdgroup]]) {} // ERROR 55 input-type "uint"
struct Empty34;
kernel void k34(device Empty34 *p [[buffer(0)]]) {} // ERROR 32 incomplete-type "defined"
[[max_total_threads_per_threadgroup(0)]] kernel void k35(device int *p [[buffer(0)]]) {} // ERROR 3 index-limit "at least one thread"
[[max_total_threads_per_threadgroup(2048)]] kernel void k36(device int *p [[buffer(0)]]) {} // ERROR 3 never-runs "2048 threads in a threadgroup, which has at most 1024"
kernel void k39(thread float &x) {} // ERROR 17 kernel-argument-space "thread"
kernel void k40(device int *p [[buffer(0)]], threadgroup int &s) {}
constant bool fc41 [[function_constant(0)]];
constant bool fc42 [[function_constant(0)]]; // ERROR 22 function-constant "0"
constant bool fc43 [[function_constant(70000)]]; // ERROR 40 index-limit "65535"
constant bool fc44 [[function_constant(2)]] = true; // ERROR 47 function-constant "initialis"
struct NotScalar { int x; };
constant NotScalar fc45 [[function_constant(3)]]; // ERROR 1 function-constant "scalar"
bool fc46 [[function_constant(4)]]; // ERROR 1 function-constant "constant"
kernel void k47(device int *p [[buffer(0)]]) { int a[fc41 ? 1 : 2]; p[0] = a[0]; } // ERROR 54 not-constant "constant"
kernel void k48(device int *p [[buffer(0), function_constant(nosuch)]]) {} // ERROR 62 undeclared "nosuch"
kernel void k50(int4 x [[stage_in]]) {} // ERROR 26 unknown-attribute "stage_in"
struct Base51 { int x; };
struct Derived51 : Base51 { int y; };
kernel void k51(constant Derived51 &d [[buffer(0)]]) {} // ERROR 17 kernel-argument "derived type"
kernel void k52(Derived51 d [[buffer(0)]]) {} // ERROR 17 kernel-argument "derived type"
struct Plain53 { float a; };
kernel void k53(Plain53 s) {} // ERROR 17 kernel-argument "invalid type .Plain53. for input declaration"
kernel void k54(constant Plain53 s [[buffer(0)]], device float *p) {}
kernel void k55(device float *p, Plain53 s [[function_constant(41)]]) {} // ERROR 34 kernel-argument "Plain53"
kernel void k97(device int *p) [[max_total_threads_per_threadgroup(32)]] { p[0] = 1; } // ERROR 34 attribute "cannot be applied to types"
kernel void k98(device int *p, uint i [[thread_position_in_grid]], uint3 t [[threads_per_threadgroup]]) {} // ERROR 13 input-width "number of elements"
kernel void k99(device int *p) __attribute__((max_total_threads_per_threadgroup(32))) { threadgroup float s[4] __attribute__((aligned(16))); p[0] = int(s[0]); } // ERROR 47 ignored-attribute "unknown attribute 'max_total_threads_per_threadgroup' ignored .-Wunknown-attributes."
int l99() { auto l = [](int x) { return x; }; return l(1); } // ERROR 22 language-version "lambda expressions are not supported"
struct Local100 { threadgroup int *p; };
kernel void k100(device Local100 *p [[buffer(0)]]) {} // ERROR 34 kernel-argument "pointers to device and constant memory alone"
kernel void k101(texture2d<float, access::read> t [[texture(0)]], uint2 i [[thread_position_in_grid]]) { t.write(float4(0), i); } // ERROR 108 static-assert "cannot be written"
kernel void k102(texture2d<float> t [[texture(0)]], texture2d<float> u [[texture(0)]]) {} // ERROR 53 duplicate-index "texture"
kernel void k103(texture2d<float> t [[buffer(0)]], sampler s [[sampler(16)]]) {} // ERROR 39 attribute "does not go" ERROR 72 index-limit "0 to 15"
constexpr float notSampler104 = 1; // ERROR 17 program-scope "constant address space"
