// Declarators, qualifiers in any order, attributes in any place.
#include <metal_stdlib>
using namespace metal;

struct Inner;
struct alignas(16) Block {
    half d;
    uchar qs[16];
    packed_float3 v;
    struct {
        short lo, hi;
    } part;
    union {
        uint word;
        uchar bytes[4];
        struct {
            half2 dm;
        };
    };
    uint flag : 3, : 5, rest : 24;
    struct Nested {
        float x = 1.0f;
        int y{2};
    } nested[2];
    float alignas(16) aligned;
};
struct __attribute__((packed)) Packed {
    uchar a;
    uint b __attribute__((aligned(4)));
};
typedef struct {
    half d;
    int8_t qs[32];
} block_q8_0, *block_pointer;
typedef struct Tagged {
    int x;
} Tagged;
typedef float row_t[4];
typedef void (unary_t)(thread float &, int);
using function_t = float(float, device const float *);
using pointer_t = device const float *;
using array_t = float[3][4];
enum Plain { RED, GREEN = 5, BLUE, };
enum class Kind : uchar { None = 0x0, Some = 'a' };
enum Opaque : uint;
enum { ANONYMOUS = 1 << 4 };

constexpr constant float a[] = {1, 2, 3};
constant constexpr uint b[2][2] = {{1u, 2u}, {3u, 4u}};
static constant int8_t signs[4] = {-1, +1, -1, 1};
constant float scale(0.5f);
constant uint direct{7};
constant bool has_mask [[function_constant(0)]];
constant int &&moved = 3;
constexpr constant static const int order = 4;
uint2 gid [[thread_position_in_grid]];

float device *leading(float device *p) { return p; }
const device float *const_device(const device float *p) { return p; }
device const float *device_const(device const float *p, int n = 4) { return p + n; }
device float (*pointer_to_array(device float (*p)[4]))[4] { return p; }
float pick(thread const float (&x)[4], thread float &&r, threadgroup float (*rows)[8]) { return x[0] + r + rows[1][2]; }
float apply(float (*f)(float), float x) { return f(x); }
float twice(float f(float), float x) { return (*f)((f)(x)); }
auto trailing(float x) -> decltype(x + 1) { return x + 1; }
static inline constexpr float inlined(void) { return 1; }
float unnamed(float, uint [[thread_index_in_simdgroup]], [[maybe_unused]] int n) { return n; }
float redeclared(float);

[[kernel, max_total_threads_per_threadgroup(1024)]] void attributes(
    [[buffer(0)]] device const float *x, device float *y [[buffer(1)]], constant Block &block [[buffer(2)]],
    constant float (&w)[4] [[buffer(3)]], device atomic_uint *counter [[buffer(4), function_constant(has_mask)]],
    threadgroup half *shared [[threadgroup(0)]], ushort3 tid [[thread_position_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
    threadgroup float tile[8][8 + 1];
    device float *const p = y, *q = y + 1;
    thread float *thread *pp = nullptr;
    device volatile float *__restrict v = y;
    coherent(device) device float *c = y;
    coherent device float *c2 = y;
    device float *coherent_name = y, coherent = 1;
    float (paren) = 2, (*ppp)[3], many[2][3][4];
    const float4 vec4(1.0f), brace{1, 2, 3, 4}, copy = vec4;
    float2 from_call(float(lane), 1), pair = {float(lane), 2};
    Block local = {.d = 1.0h, .qs = {1, 2}, .part{1, 2}};
    struct Local {
        int x;
    } made = {1};
    int unsigned long ul = 1;
    unsigned u = 2;
    signed char sc = -1;
    unsigned short int us = 3;
    long int l = 4;
    const unsigned int cui = 5;
    enum Plain color = RED;
    struct Tagged tagged;
    ::block_q8_0 global;
    auto inferred = lane;
    decltype(inferred) same = inferred;
    float (*function)(float) = redeclared;
    float (*table[2])(float) = {redeclared, &redeclared};
    [[maybe_unused]] int ignored = 0;
    (void)p, (void)q;
    using T = float;
    T (shadow) = 1;
    T *pointer = &shadow;
    typedef uint index_t;
    index_t i = 0;
    i * u;
    uint T = 3;
    T * u;
}
