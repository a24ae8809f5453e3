// Function templates and explicit instantiation in the forms that libraries use.
#include <metal_stdlib>
using namespace metal;

#define instantiate_kernel(name, func, ...) \
    template [[host_name(name)]] [[kernel]] decltype(func<__VA_ARGS__>) func<__VA_ARGS__>;
#define instantiate_sizes(tname, type) \
    instantiate_kernel("scale_" #tname "_4", scale, type, 4) \
    instantiate_kernel("scale_" #tname "_8", scale, type, 8)

struct Add {
    template <typename T> T operator()(T x, T y) { return x + y; }
};
struct Exp {
    float operator()(float x) const thread { return metal::precise::exp(x); }
};

template <typename T, int N = 4, typename U = T, bool flag = (N > 2)>
[[kernel]] void scale(device const T *x [[buffer(0)]], device U *y [[buffer(1)]], constant float &s [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    constexpr int M = N / 2;
    if constexpr (flag) {
#pragma clang loop unroll(full)
        for (int j = 0; j < N; ++j) y[i * N + j] = static_cast<U>(s * x[i * N + j]);
    } else {
        y[i] = U(x[M]);
    }
}
instantiate_sizes(float32, float)
instantiate_sizes(float16, half)

struct nibbles { half scale; uchar packed[16]; };
template <typename M4>
void unpack(device const nibbles *block, short part, thread M4 &out) {
    device const uint16_t *pairs = ((device const uint16_t *)block + 1);
    const float scale = part ? (block->scale / 16.h) : block->scale;
    float4x4 wide;
    for (int i = 0; i < 8; i++) {
        wide[i / 2][2 * (i % 2) + 0] = scale * (pairs[i] & 0x00F0);
    }
    out = (M4)wide;
}
template <typename B, short parts, void (*unpack_block)(device const B *, short, thread float4x4 &)>
kernel void gather(constant int64_t &count [[buffer(0)]], device const void *table, device const int *rows, device float *out,
                   uint3 group[[threadgroup_position_in_grid]], ushort thread_index[[thread_index_in_threadgroup]], ushort3 size[[threads_per_threadgroup]]) {
    for (int64_t i = thread_index; i < count / 16; i += size.x) {
        float4x4 tile;
        unpack_block(((device const B *)((device char *)table + rows[0])) + i / parts, i % parts, tile);
        *(((device float4x4 *)((device char *)out)) + i) = tile;
    }
}
typedef void (row_product_t)(constant int &size, device const char *weights, ushort lane);
template <typename A, typename B, int rows = 2> void row_product(constant int &size, device const char *weights, ushort lane) {}
template <row_product_t function> void forward_product(constant int &size, device const char *weights, ushort lane) { function(size, weights, lane); }
typedef decltype(forward_product<row_product<half, half>>) forwarded_t;
template <forwarded_t function> kernel void routed(constant int &size, device const char *weights, ushort lane [[thread_index_in_simdgroup]]) { function(size, weights, lane); }
typedef decltype(routed<forward_product<row_product<float, float>>>) routed_t;
template [[host_name("routed_f16")]] kernel routed_t routed<forward_product<row_product<half, float, 4>>>;
typedef decltype(gather<nibbles, 2, unpack>) gather_t;
template [[host_name("gather_nibbles")]] kernel gather_t gather<nibbles, 2, unpack>;
template kernel void gather<nibbles, 4, &unpack>(constant int64_t &, device const void *, device const int *, device float *, uint3, ushort, ushort3);

template <typename T, typename Op>
kernel void reduce(device T *out [[buffer(0)]], device const T *in [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    Op op;
    out[i] = op(in[i], Op()(in[i + 1], T(1)));
}
#define instantiate_reduce(name, type, op) template [[host_name("reduce_" #name)]] [[kernel]] void reduce<type, op>( \
    device type *out [[buffer(0)]], device const type *in [[buffer(1)]], uint i [[thread_position_in_grid]]);
instantiate_reduce(add_f32, float, Add)

template <typename T> T identity(T x) { return x; }
template <> float identity<float>(float x) { return x; }
template <> half identity(half x) { return x; }
template <typename... Ts> int count(Ts... xs) { return sizeof...(Ts) + sizeof...(xs); }
template <typename F, typename... Args> float call(F f, Args... args) { return f(args...); }
template <typename T, int N> constexpr int length(thread const T (&)[N]) { return N; }
template <int A, int B = A * 2, int C = (A > B ? A : B)> constexpr int biggest() { return C; }
template <typename T> using row = vec<T, 4>;
template <typename T> constexpr constant bool is_wide = sizeof(T) > 4;
template <typename T, typename = enable_if_t<is_integral_v<T>>> T half_of(T x) { return x >> 1; }
template <typename T, enable_if_t<!is_same_v<T, float>, int> = 0> T other(T x) { return x; }
float uses(float x) {
    row<float> r = x;
    float values[3] = {1, 2, 3};
    return identity<float>(x) + count<int, float>(1, 2.0f) + length(values) + biggest<2>() + biggest<1, 2, (1 > 2)>() + r.x
        + half_of<int>(3) + is_wide<float4> + call(identity<float>, x);
}
