#include <metal_stdlib>
using namespace metal;

// What Apple's compiler refuses, where and in which words, in programs that parse.

kernel void after(device float *a [[buffer(0)]]) [[max_total_threads_per_threadgroup(256)]] { a[0] = 1; } // ERROR 52 attribute "^'max_total_threads_per_threadgroup' attribute cannot be applied to types"
kernel void ahead(device float *a [[buffer(0)]])
    [[required_threads_per_threadgroup(8, 1, 1)]] { a[0] = 1; } // ERROR 7 attribute "^'required_threads_per_threadgroup' attribute cannot be applied to types"
template <typename T> kernel void generic(device T *a) [[max_total_threads_per_threadgroup(32)]] { a[0] = 1; } // ERROR 58 attribute "^'max_total_threads_per_threadgroup' attribute cannot be applied to types"
[[max_total_threads_per_threadgroup(256)]] kernel void good1(device float *a) { a[0] = 1; }
[[max_total_threads_per_threadgroup(256)]]
kernel void good2(device float *a) { a[0] = 1; }
kernel void good3(device float *a) __attribute__((max_total_threads_per_threadgroup(4 * 8))) { a[0] = 1; } // ERROR 51 ignored-attribute "^unknown attribute 'max_total_threads_per_threadgroup' ignored .-Wunknown-attributes.$"
kernel void good4(device float *a) { threadgroup float t[4] __attribute__((aligned(16))); float u[2] __attribute__((aligned(8))) = {1, 2}; t[0] = u[1]; a[0] = t[0]; }

kernel void mixed(uint i [[thread_position_in_grid]], uint3 t [[threads_per_threadgroup]]) {} // ERROR 13 input-width "^expecting input declarations with either all scalar types or all vector types with the same number of elements$"
kernel void mixed2(uint3 i [[thread_position_in_grid]], uint t [[threads_per_threadgroup]]) {} // ERROR 13 input-width "^expecting input declarations with either all scalar types or all vector types with the same number of elements$"
kernel void mixed3(uint2 i [[thread_position_in_threadgroup]], uint3 t [[threadgroup_position_in_grid]]) {} // ERROR 13 input-width "^expecting input declarations with either all scalar types or all vector types with the same number of elements$"
kernel void mixed4(ushort i [[threads_per_grid]], ushort2 t [[threadgroups_per_grid]]) [[max_total_threads_per_threadgroup(32)]] {} // ERROR 13 input-width "^expecting input declarations with either" ERROR 90 attribute "attribute cannot be applied to types"
kernel void scalars(uint i [[thread_position_in_grid]], uint t [[threads_per_threadgroup]], ushort l [[thread_index_in_simdgroup]]) {}
kernel void unknown(device int *p, uint t [[threadgroup_size_in_threadgroup]]) { p[0] = t; } // ERROR 36 kernel-argument "^invalid type 'uint' .aka 'unsigned int'. for input declaration in a kernel function" ERROR 45 ignored-attribute "^unknown attribute 'threadgroup_size_in_threadgroup' ignored"
kernel void plain(device int *p, float4 t, ulong u, half h) {} // ERROR 34 kernel-argument "^invalid type 'float4' .vector of 4 'float' values. for input" ERROR 44 kernel-argument "^invalid type 'ulong' .aka 'unsigned long'. for input" ERROR 53 kernel-argument "^invalid type 'half' for input"

#define OWN(k) { const uint k = (k); a[0] += k; }
kernel void own(device uint *a) { uint q = 3; OWN(q) a[1] = q; }

float lambda(float x) { auto f = [](float y) { return y; }; return f(x); } // ERROR 34 language-version "^lambda expressions are not supported in Metal"
constexpr float CX[9] = {1}; // ERROR 17 program-scope "^program scope variable must reside in constant address space"
float loose; // ERROR 7 program-scope "^program scope variable must reside in constant address space"
const int three = 3; // ERROR 11 program-scope "^program scope variable must reside in constant address space"
static constexpr int two = 2; // ERROR 22 program-scope "^program scope variable must reside in constant address space"
struct Holder { static constexpr int n = 1; }; // ERROR 38 program-scope "^program scope variable must reside in constant address space"

float far(float x) { return math::floor(x) + std::max(x, 1.0f); } // ERROR 29 undeclared "^use of undeclared identifier 'math'" ERROR 46 undeclared "^use of undeclared identifier 'std'"
float near(float x, thread float &c) { return sincospi(x, c); } // ERROR 47 undeclared "^use of undeclared identifier 'sincospi'; did you mean 'sincos'\?$"
half subscript() { return f_in[3]; } // ERROR 27 undeclared "^use of undeclared identifier 'f_in'; did you mean 'fmin'\?$" ERROR 27 function-value "^subscript of pointer to function type 'half .half, half.'$"
float typo(float weight) { float total = 2; return totl + wieght[0]; } // ERROR 52 undeclared "did you mean 'total'\?$" ERROR 59 undeclared "did you mean 'weight'\?$" ERROR 65 index "^subscripted value is not an array"
float ambiguous(float ab1, float ab2) { return ab3; } // ERROR 48 undeclared "^use of undeclared identifier 'ab3'$"
float own_name(device float *psi) { float psi_C = psi_in[0]; return psi_C; } // ERROR 51 undeclared "did you mean 'psi_C'\?$" ERROR 57 index "^subscripted value is not an array"
void fence() { threadgroup_barrier(mem_flags::threadgroup_mem_fence); } // ERROR 47 undeclared "^no member named 'threadgroup_mem_fence' in 'metal::mem_flags'$"
void matrices() { simdgroup_float8x8 d, a, b; simdgroup_multiply_accumulate(d, a, b); } // ERROR 47 no-builtin "requires 4 arguments, but 3 were provided"
float cast1(const device float *p) { return *(constant float *)p; } // ERROR 46 address-space "^C-style cast from 'const device float \*' to 'const constant float \*' converts between mismatching address spaces$"
float cast2(threadgroup float *p) { return *reinterpret_cast<device float *>(p); } // ERROR 45 address-space "^reinterpret_cast from 'threadgroup float \*' to 'device float \*' converts between mismatching address spaces$"
uint4 bools(float4 a, float4 b) { uint4 m = uint4(a) < uint4(b); return m; } // ERROR 41 vector-conversion "^cannot initialize a variable of type 'uint4' .vector of 4 'unsigned int' values. with an rvalue of type 'bool __attribute__..ext_vector_type.4...' .vector of 4 'bool' values."
float3 bools2(float3 a) { return a > 0; } // ERROR 34 vector-conversion "^cannot initialize return object of type 'float3' .vector of 3 'float' values. with an rvalue of type 'bool __attribute__..ext_vector_type.3...' .vector of 3 'bool' values."
void bools3(float2 a) { int2 m; m = a == a; } // ERROR 39 vector-conversion "^assigning to 'int2' .vector of 2 'int' values. from incompatible type 'bool __attribute__..ext_vector_type.2...'"
float scalar1(float x, uint i) { return x[i]; } // ERROR 42 index "^subscripted value is not an array, pointer, or vector"
int scalar2(device int *p) { return p[0][1]; } // ERROR 41 index "^subscripted value is not an array, pointer, or vector"
