#include <metal_stdlib>
using namespace metal;

template <typename T, int N = 4>
kernel void scale(device T* out [[buffer(0)]], constant T& by [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    for (int k = 0; k < N; k++) out[i * N + k] *= by;
}
template [[host_name("scale_float")]] kernel void scale<float>(device float*, constant float&, uint);
template [[host_name("scale_half_8")]] [[kernel]] decltype(scale<half, 8>) scale<half, 8>;
typedef decltype(scale<int>) scale_t;
template [[host_name("scale_int")]] kernel scale_t scale<int>;
template [[host_name("scale_int_2")]] kernel scale_t scale<int, 2>;
