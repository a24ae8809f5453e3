#include <metal_stdlib>
using namespace metal;

template <typename T> struct Limits { static constexpr constant int bits = sizeof(T) * 8; static T low() { return T(0); } };
template <> struct Limits<float> { static constexpr constant int bits = 1; static float low() { return -INFINITY; } };
template <typename T, typename U> struct Same { static constexpr constant bool value = false; };
template <typename T> struct Same<T, T> { static constexpr constant bool value = true; };
template <typename T> struct Elem { using type = T; };
template <typename T, int N> struct Elem<vec<T, N>> { using type = T; };
template <typename T> struct Elem<device T*> { using type = T; };
static_assert(Same<int, int>::value && !Same<int, uint>::value, "Same");
static_assert(Same<Elem<float4>::type, float>::value, "Elem");
static_assert(Same<Elem<device half*>::type, half>::value, "Elem");
template <typename T> float name(T) { return 0; }
template <> float name<int>(int) { return 1; }
template <typename T> float name(device T*) { return 2; }
template <typename T> float name(vec<T, 4>) { return 3; }
kernel void specialisation(device float* out [[buffer(0)]])
{
    out[0] = Limits<float>::low() + Limits<half>::low();
    out[1] = Limits<int>::bits + Limits<float>::bits;
    out[2] = name(1) + name(1.0f) + name(out) + name(float4(1));
    typename Elem<int3>::type x = 3;
    out[3] = x;
}
