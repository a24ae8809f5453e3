#include <metal_stdlib>
using namespace metal;

// Functions of clang, places of members, attributes of types, and types of other stages.

struct Bits { int a : 3; int b; int c[2]; };
float4 shuffle1(float4 a) { return __builtin_shufflevector(a, a, 0, 1, 2, 8); } // ERROR 75 index-range "^index for __builtin_shufflevector must be less than the total number of vector elements$"
float4 shuffle2(float4 a, int n) { return __builtin_shufflevector(a, a, 0, 1, 2, n); } // ERROR 82 not-constant "^index for __builtin_shufflevector must be a constant integer$"
float2 shuffle3(float a) { return __builtin_shufflevector(a, a, 0, 1); } // ERROR 59 no-match "^first two arguments to '__builtin_shufflevector' must be vectors$"
ulong offset1() { return __builtin_offsetof(Bits, a); } // ERROR 51 sizeof "^cannot compute offset of bit-field 'a'$"
ulong offset2() { return __builtin_offsetof(Bits, d); } // ERROR 51 no-member "^no member named 'd' in 'Bits'$"
ulong offset3() { return __builtin_offsetof(int, a); } // ERROR 45 sizeof "^offsetof requires struct, union, or class type, 'int' invalid$"
ulong offset4(int n) { return __builtin_offsetof(Bits, c[n]); } // ERROR 57 sizeof "constant indices"
uint given [[thread_position_in_grid]] = 1; // ERROR 6 input-type "^an input of program scope is a variable without address space and without a value$"
void commands(command_buffer b) {} // ERROR 15 unsupported "^the type command_buffer is not supported$"
struct Loose { rgba8snorm<half4> p; }; // nothing needs it
struct Pixel { rgba8unorm<half4> p; }; // ERROR 16 unsupported "^the type rgba8unorm is not supported$"
half4 pixel() { Pixel p; return 0; }
half4 blocks() { threadgroup_imageblock half4 *p; return 0; } // ERROR 18 unsupported "^the address space threadgroup_imageblock is not supported$"
template <typename T> struct Never { static_assert(sizeof(T) == 100, "never"); T t; }; // ERROR 38 static-assert "never"
device Never<float> *nobody(device Never<float> *p) { return p; }
int somebody(device Never<half> *p) { return p->t; }
void unnamed(int) __asm("air.f"); // ERROR 25 asm-label "^compilers since that of macOS 26 refuse this label: illegal string literal in 'asm'$"
void called() { unnamed(1); } // ERROR 17 unsupported "^unnamed is the function .air.f. of Apple.s compiler"
kernel void labelled(device int *p) { called(); p[0] = 1; }
kernel void uses(device int *p) { const int unused_one = 1; [[maybe_unused]] int quiet = 2; int x = 3, y = 4; p[0] = x; } // ERROR 45 unused-variable "^unused variable 'unused_one' .-Wunused-variable.$" ERROR 104 unused-variable "^unused variable 'y' "
#define DECLARE(name) int name = 0
kernel void expanded(device int *p) { DECLARE(loose); p[0] = 1; } // ERROR 47 unused-variable "^unused variable 'loose' "
void tensors(tensor<device half, dextents<int, 2>> t) {} // ERROR 14 language-version "^tensor needs Metal 4.0, the program is compiled as Metal 3.1$"
using namespace mpp::tensor_ops; // ERROR 1 language-version "^MetalPerformancePrimitives needs Metal 4.0"
