// version 400
// What headers that host and device share use, and names that come from elsewhere: simd types, using declarations of
// the library's types, using enum, lambdas with a template head, pointers to pointers to functions.
#include <metal_stdlib>
#include <simd/simd.h>
using metal::float4;
using metal::uint2;
using metal::max;
using namespace metal;

enum class Mode : uchar { add, subtract = 4 };
struct Shared { simd_float3 a; simd::float4 b; matrix_float2x2 m; vector_uint2 c; simd_packed_float3 d; simd_uint1 e; };
static int number(Mode m)
{
    switch (m) {
        using enum Mode;
    case add: return 1;
    case subtract: return 2;
    }
    return 0;
}
typedef int (*function)(int);
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }

// want int 16 16 12 8 80
kernel void sizes_of_simd_types(device int *out [[buffer(0)]]) { out[0] = sizeof(simd_float3); out[1] = sizeof(simd::float4); out[2] = sizeof(simd_packed_float3); out[3] = sizeof(vector_uint2); out[4] = sizeof(Shared); }
// want int 1 2
kernel void enumerators_of_a_scope(device int *out [[buffer(0)]]) { out[0] = number(Mode::add); out[1] = number(Mode::subtract); }
// want int 12 1 10
kernel void lambda_templates(device int *out [[buffer(0)]]) { auto times = []<typename T, int N = 3>(T x) { return x * N; }; out[0] = times(4); out[1] = int(times(0.5f)); out[2] = times.operator()<int, 5>(2); }
// want int 12 6 8
kernel void tables_of_functions(device int *out [[buffer(0)]]) { function t[2] = {twice, thrice}; thread function *p = t; p++; out[0] = (*p)(4); out[1] = p[-1](3); p = t; out[2] = p[0](4); }
// want int 10 1
kernel void functions_or_none(device int *out [[buffer(0)]]) { function f = out != nullptr ? twice : nullptr; function g = out != nullptr ? nullptr : twice; out[0] = f(5); out[1] = g == nullptr; }
// want float 3 2
kernel void names_of_the_library(device float *out [[buffer(0)]]) { float4 a(max(1.0f, 3.0f)); uint2 b(2); out[0] = a.w; out[1] = b.x; }
