#include <metal_stdlib>
using namespace metal;

struct Silu { template <typename T> T operator()(T x) { return x / (1 + exp(-x)); } };
struct Square { float operator()(float x) const { return x * x; } };
template <typename T, typename Op>
[[kernel]] void unary(device const T* in, device T* out, uint i [[thread_position_in_grid]])
{
    out[i] = Op()(in[i]);
}
#define instantiate(name, type, op) template [[host_name(#name)]] [[kernel]] decltype(unary<type, op>) unary<type, op>;
instantiate(silu_f32, float, Silu)
instantiate(silu_f16, half, Silu)
instantiate(square_f32, float, Square)
