// Packs, folds, lambdas, bindings, designators, and definitions outside of classes.
template <typename... Ts> int sum(Ts... xs) { return (xs + ...) + (... + xs) + (1 + ... + xs) + (xs + ... + 1); }
template <template <typename> class W, typename T> struct Wrap { W<T> w; };
template <int... Ns> struct Seq;
template <int N, int... Ns> struct Seq<N, Ns...> { static constexpr constant int rest = sizeof...(Ns); };
template <typename T> constexpr constant bool is_x = __is_same(T, int);
template <> constexpr constant bool is_x<float> = false;
template <typename T> struct S {
    constexpr S<T>() = default;
    T f(T x) const;
    template <typename U> U g(U x);
    inline static constexpr constant int n = 3;
};
template <typename T> T S<T>::f(T x) const { return x; }
template <typename T> template <typename U> U S<T>::g(U x) { return x; }
template <> float S<float>::f(float x) const { return -x; }
template struct S<int>;
extern template struct S<half>;
inline namespace v1 { int one() noexcept { return 1; } }
extern "C" int two();
using Word = union { float f; uint u; };
constant int table[4] = {[1] = 2, [2 ... 3] = 4};
void f(thread int &x) {
    auto [a, b] = x;
    auto add = [&, y = x](int z) -> int { return y + z; };
    auto none = [] { return 1; };
    auto copy = [=, &x](int z) mutable { x += z; };
    typename decltype(x)::type t = decltype(x)::value;
    threadgroup float shared[4] [[maybe_unused]];
}
