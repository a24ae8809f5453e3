// Two macros make a family of entry points over types and operations: (2 + 5) * 5 as float, 7 + 5 as int.
// kernel add_f32 mul_f32 add_i32
// bind 0 uint 0x40000000 7
// want 0 uint 0x420c0000 12
#include <metal_stdlib>
using namespace metal;

struct Add {
    template <typename T> T operator()(T x, T y) { return x + y; }
};
struct Mul {
    template <typename T> T operator()(T x, T y) { return x * y; }
};
template <typename T> struct Place {
    static constexpr constant int value = 1;
};
template <> struct Place<float> {
    static constexpr constant int value = 0;
};
template <typename T, typename Op>
[[kernel]] void binary(device T* x [[buffer(0)]])
{
    x[Place<T>::value] = Op()(x[Place<T>::value], T(5));
}
#define instantiate(name, type, op) \
    template [[host_name(name)]] [[kernel]] decltype(binary<type, op>) binary<type, op>;
#define instantiate_type(tname, type) instantiate("add_" #tname, type, Add) instantiate("mul_" #tname, type, Mul)
instantiate_type(f32, float)
instantiate_type(i32, int)
