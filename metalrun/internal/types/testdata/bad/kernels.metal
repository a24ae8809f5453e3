// Kernel signatures (2.7).
#include <metal_stdlib>
using namespace metal;

kernel int k1(device int *p [[buffer(0)]]) { return 0; } // ERROR "void"
kernel void k2(device int *p [[buffer(0)]], device int *q [[buffer(0)]]) {} // ERROR "buffer"
kernel void k3(device int *p [[buffer(31)]]) {} // ERROR "31|30"
kernel void k4(device int *p [[buffer(-1)]]) {} // ERROR "index|30"
kernel void k5(threadgroup int *p [[threadgroup(31)]]) {} // ERROR "30"
kernel void k6(device int *p [[threadgroup(0)]]) {} // ERROR "threadgroup"
kernel void k7(threadgroup int *p [[buffer(0)]]) {} // ERROR "buffer"
kernel void k8(thread int *p [[buffer(0)]]) {} // ERROR "thread"
kernel void k9(device int *p [[buffer(0)]], float i [[thread_position_in_grid]]) {} // ERROR "uint"
kernel void k10(device int *p [[buffer(0)]], int i [[thread_position_in_grid]]) {} // ERROR "uint"
kernel void k11(device int *p [[buffer(0)]], ulong i [[thread_position_in_grid]]) {} // ERROR "uint"
kernel void k12(device int *p [[buffer(0)]], uint4 i [[thread_position_in_grid]]) {} // ERROR "uint"
kernel void k13(device int *p [[buffer(0)]], uint2 i [[thread_index_in_threadgroup]]) {} // ERROR "uint"
kernel void k14(device int *p [[buffer(0)]], uint2 i [[thread_position_in_grid]], uint3 g [[threadgroup_position_in_grid]]) {} // ERROR "components"
kernel void k15(device int *p [[buffer(0)]], uint i [[thread_position_in_grid]], ushort n [[threads_per_grid]]) {} // ERROR "type"
kernel void k16(device int *p [[buffer(0)]], uint2 i [[thread_position_in_threadgroup]], ushort2 n [[threads_per_threadgroup]]) {} // ERROR "type"
kernel void k17(device int *p [[buffer(0)]], uint i [[thread_position_in_threadgroup]], ushort n [[thread_index_in_threadgroup]]) {} // ERROR "uint"
kernel void k18(device int *p [[buffer(0)]], uint i [[no_such_attribute]]) {} // ERROR "no_such_attribute"
kernel void k19(device int *p [[buffer(0)]], uint i) {} // ERROR "i"
kernel void k20(device int *p [[buffer(0)]], uint i [[thread_position_in_grid]], uint j [[thread_position_in_grid]]) {} // ERROR "thread_position_in_grid"
kernel void k21(device int *p [[buffer(0)]]) {}
kernel void k21(device float *p [[buffer(0)]]) {} // ERROR "k21"
[[kernel, host_name("k21")]] void k22(device int *p [[buffer(0)]]) {} // ERROR "k21"
kernel void k23(device size_t *p [[buffer(0)]], constant size_t &n [[buffer(1)]]) {} // ERROR "size_t"
struct HasSize { size_t n; };
kernel void k24(constant HasSize &s [[buffer(0)]]) {} // ERROR "size_t"
kernel void k25(device int *p [[buffer(0)]], constant int &n = 3) {} // ERROR "default"
template <typename T> kernel void k26(device T *p [[buffer(0)]]) {}
template [[host_name("k26_twice")]] kernel void k26<float>(device float *);
template [[host_name("k26_twice")]] kernel void k26<int>(device int *); // ERROR "k26_twice"
kernel void k27(device simdgroup_float8x8 *p [[buffer(0)]]) {} // ERROR "simdgroup"
kernel void k28(device int **p [[buffer(0)]]) {} // ERROR "address space"
kernel void k29(device int *p [[buffer(0)]]) { k21(p); } // ERROR "kernel"
int main() { return 0; } // ERROR "main"
kernel void k30(device int *p [[buffer("x")]]) {} // ERROR "integer|constant"
kernel void k31(device int *p [[buffer]]) {} // ERROR "buffer"
kernel void k32(device int *p [[buffer(0), buffer(1)]]) {} // ERROR "buffer"
kernel void k33(device int *p [[buffer(0)]], bool b [[thread_index_in_simdgroup]]) {} // ERROR "uint"
struct Empty34;
kernel void k34(device Empty34 *p [[buffer(0)]]) { p[0]; } // ERROR "defined"
[[max_total_threads_per_threadgroup(0)]] kernel void k35(device int *p [[buffer(0)]]) {} // ERROR "threads"
[[max_total_threads_per_threadgroup(2048)]] kernel void k36(device int *p [[buffer(0)]]) {} // ERROR "1024"
kernel void k37(device int *p [[buffer(0)]]) { threadgroup float big[9000]; big[0] = 1; p[0] = big[0]; } // ERROR "32768|32 KB"
kernel k38(device int *p [[buffer(0)]]) {} // ERROR "type"
kernel void k39(thread float &x) {} // ERROR "thread"
kernel void k40(device int *p [[buffer(0)]], threadgroup int &s) {}
constant bool fc41 [[function_constant(0)]];
constant bool fc42 [[function_constant(0)]]; // ERROR "0"
constant bool fc43 [[function_constant(70000)]]; // ERROR "65535"
constant bool fc44 [[function_constant(2)]] = true; // ERROR "initialis"
struct NotScalar { int x; };
constant NotScalar fc45 [[function_constant(3)]]; // ERROR "scalar"
bool fc46 [[function_constant(4)]]; // ERROR "constant"
kernel void k47(device int *p [[buffer(0)]]) { int a[fc41 ? 1 : 2]; p[0] = a[0]; } // ERROR "constant"
kernel void k48(device int *p [[buffer(0), function_constant(nosuch)]]) {} // ERROR "nosuch"
kernel void k49(device atomic_float *p [[buffer(0)]], constant atomic_int &q [[buffer(1)]]) {} // ERROR "atomic"
kernel void k50(int4 x [[stage_in]]) {} // ERROR "stage_in"
