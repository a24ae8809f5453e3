// A parameter that stands for a whole argument of a template is that argument, be it a reference: in traits, in the types of
// functions, and in packs. A reference in the pattern is taken off.
// want 0 int 1 1 1 0 1 0 2 13 1 1 0 1
#include <metal_stdlib>
using namespace metal;

template <typename T> struct Kind { static constexpr constant int value = 0; };
template <typename T> struct Kind<thread T&> { static constexpr constant int value = 1; };
template <typename T> struct Kind<device T&> { static constexpr constant int value = 2; };
template <typename F> struct Shape;
template <typename R, typename... A> struct Shape<R(A...)> {
    static constexpr constant int value = Kind<R>::value + 10 * (0 + ... + Kind<A>::value) + sizeof...(A);
};
template <typename... T> struct List {};
template <typename L, typename M> struct Alike : false_type {};
template <typename... T> struct Alike<List<T...>, List<T...>> : true_type {};
struct Pair { int a; float b; };

kernel void f(device int* out [[buffer(0)]])
{
    int i = 0;
    thread int& r = i;
    device int& d = out[0];
    Pair p = {1, 2};
    auto [x, y] = p;
    thread auto& [z, w] = p;
    out[0] = is_same_v<thread int&, thread int&>;
    out[1] = is_same<decltype(r), thread int&>::value;
    out[2] = is_same_v<decltype((i)), thread int&>;
    out[3] = is_same_v<decltype(i), thread int&>;
    out[4] = is_same_v<decltype(d), device int&>;
    out[5] = is_same_v<thread int&, device int&>;
    out[6] = Kind<decltype(out[0])>::value;
    out[7] = Shape<thread int&(int, thread float&)>::value;
    out[8] = Alike<List<thread int&, int>, List<thread int&, int>>::value;
    out[9] = is_same_v<decltype(x), int> && is_same_v<decltype(z), int> && is_same_v<decltype(w), float>;
    out[10] = Alike<List<thread int&>, List<int>>::value;
    out[11] = is_same_v<decltype((z)), thread int&> && y > 1;
}
