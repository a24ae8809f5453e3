// A pack that an argument names alone is its elements as they are: types with their qualifiers, values with their types, and
// templates.
// want 0 int 3 1 6 1 2 1 8
#include <metal_stdlib>
using namespace metal;

template <typename... T> struct List {};
template <int... N> struct Ints {};
template <template <typename> class... T> struct Templates {};
template <typename T> struct One { static constexpr constant int value = 1; };
template <typename T> struct Two { static constexpr constant int value = 2; };

template <typename L> struct Length;
template <typename... T> struct Length<List<T...>> { static constexpr constant int value = sizeof...(T); };
template <typename L> struct First;
template <typename F, typename... T> struct First<List<F, T...>> { using type = F; };
template <typename... T> using Copy = List<T...>;
template <int... N> struct Sum { static constexpr constant int value = (0 + ... + N); };
template <int... N> constexpr int forwarded() { return Sum<N...>::value; }
template <typename L> struct Applied;
template <template <typename> class F, template <typename> class... T> struct Applied<Templates<F, T...>> { static constexpr constant int value = F<int>::value; };
template <template <typename> class... T> struct Passed { using type = Applied<Templates<T...>>; };
template <auto... V> struct Values;
template <auto F, auto... V> struct Values<F, V...> { static constexpr constant int size = sizeof(F); };
template <auto... V> constexpr int size_of_first() { return Values<V...>::size; }

kernel void f(device int* out [[buffer(0)]])
{
    out[0] = Length<Copy<int, float, half>>::value;
    out[1] = is_same_v<First<Copy<device const int*, float>>::type, device const int*>;
    out[2] = forwarded<1, 2, 3>();
    out[3] = Passed<One, Two>::type::value;
    out[4] = Passed<Two, One>::type::value;
    out[5] = size_of_first<true, 2>();
    out[6] = size_of_first<3l, true>();
}
