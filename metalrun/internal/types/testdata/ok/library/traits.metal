#include <metal_stdlib>
using namespace metal;

template <typename T> T zero() { return is_floating_point_v<T> ? T(0.5f) : T(0); }
template <typename T, enable_if_t<is_integral_v<T>, bool> = true> int kind(T) { return 1; }
template <typename T, enable_if_t<!is_integral_v<T>, bool> = true> int kind(T) { return 2; }
static_assert(is_same_v<int, int> && !is_same_v<int, uint> && is_same<float, float>::value, "is_same");
static_assert(is_signed_v<char> && is_unsigned<uint>::value && is_arithmetic_v<half>, "signs");
static_assert(is_same_v<make_unsigned_t<int>, uint> && is_same_v<conditional_t<true, int, float>, int>, "types");
static_assert(is_same_v<remove_const_t<const int>, int> && is_same_v<typename conditional<false, int, half>::type, half>, "types");
static_assert(metal::is_convertible_v<int, float> && is_void<void>::value && is_pointer_v<device int*>, "convertible");
struct Yes : true_type {};
static_assert(Yes::value && integral_constant<int, 4>::value == 4 && bool_constant<false>::value == false, "constants");
kernel void traits(device float* out [[buffer(0)]])
{
    out[0] = zero<float>() + zero<int>() + kind(1) + kind(1.0f);
    integral_constant<int, 3> three;
    int a[three];
    a[0] = 1;
    out[1] = a[0];
}
