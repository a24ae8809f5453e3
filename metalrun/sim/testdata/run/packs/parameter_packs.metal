// Packs of types and values: expanded in calls, braced lists and template arguments, counted, and taken apart by recursion.
// want 0 int 10 3 24 6 9 0 4 2
#include <metal_stdlib>
using namespace metal;

int add() { return 0; }
template <typename T, typename... Ts> int add(T x, Ts... rest) { return int(x) + add(rest...); }
template <typename... Ts> int count(Ts... xs) { return int(sizeof...(Ts)); }
template <int... Ns> struct Product;
template <> struct Product<> { static constexpr constant int value = 1; };
template <int N, int... Ns> struct Product<N, Ns...> { static constexpr constant int value = N * Product<Ns...>::value; };
template <int... Ns> int doubled() { int v[] = {(2 * Ns)...}; int s = 0; for (int i = 0; i < int(sizeof...(Ns)); i++) s += v[i]; return s; }
template <typename... Ts> struct First;
template <typename T, typename... Ts> struct First<T, Ts...> { using type = T; };
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = add(1, 2.0f, 3.0h, 4u);
    a[1] = count(1, 2.0f, a);
    a[2] = Product<2, 3, 4>::value;
    a[3] = doubled<1, 2>();
    a[4] = add(4, 5);
    a[5] = count();
    a[6] = int(sizeof(typename First<float, half>::type));
    a[7] = int(sizeof(First<half>::type));
}
