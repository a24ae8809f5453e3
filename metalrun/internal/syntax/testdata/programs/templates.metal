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

struct block_q4 { half d; uchar qs[16]; };
template <typename type4x4>
void dequantize_q4(device const block_q4 *xb, short il, thread type4x4 &reg) {
    device const uint16_t *qs = ((device const uint16_t *)xb + 1);
    const float d1 = il ? (xb->d / 16.h) : xb->d;
    float4x4 reg_f;
    for (int i = 0; i < 8; i++) {
        reg_f[i / 2][2 * (i % 2) + 0] = d1 * (qs[i] & 0x00F0);
    }
    reg = (type4x4)reg_f;
}
template <typename block_q, short nl, void (*dequantize_func)(device const block_q *, short, thread float4x4 &)>
kernel void get_rows(constant int64_t &ne [[buffer(0)]], device const void *src, device const int *ids, device float *dst,
                     uint3 tgpig [[threadgroup_position_in_grid]], ushort tiitg [[thread_index_in_threadgroup]], ushort3 tptg [[threads_per_threadgroup]]) {
    for (int64_t ind = tiitg; ind < ne / 16; ind += tptg.x) {
        float4x4 temp;
        dequantize_func(((device const block_q *)((device char *)src + ids[0])) + ind / nl, ind % nl, temp);
        *(((device float4x4 *)((device char *)dst)) + ind) = temp;
    }
}
typedef decltype(get_rows<block_q4, 2, dequantize_q4>) get_rows_t;
template [[host_name("get_rows_q4")]] kernel get_rows_t get_rows<block_q4, 2, dequantize_q4>;
template kernel void get_rows<block_q4, 4, &dequantize_q4>(constant int64_t &, device const void *, device const int *, device float *, uint3, ushort, ushort3);

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
