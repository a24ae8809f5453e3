// Templates once more: parameters, deduction, specialisation and members.
#include <metal_stdlib>
using namespace metal;

template <typename T, int N> struct Stack { T data[N]; int n = 0; void push(T x) { data[n++] = x; } T pop() { return data[--n]; } bool full() const { return n == N; } };
// want int 3 2 1 0
kernel void class_with_array(device int *out [[buffer(0)]]) { Stack<int, 3> s; s.push(1); s.push(2); s.push(3); bool f = s.full(); out[0] = s.pop(); out[1] = s.pop(); out[2] = f; out[3] = s.full(); }
template <typename T> struct Rank { static constexpr constant int value = 0; };
template <typename T> struct Rank<device T *> { static constexpr constant int value = 1 + Rank<T>::value; };
template <typename T> struct Rank<thread T *> { static constexpr constant int value = 10 + Rank<T>::value; };
template <typename T, int N> struct Rank<T[N]> { static constexpr constant int value = 100 * N + Rank<T>::value; };
// want int 0 1 10 300
kernel void patterns_of_types(device int *out [[buffer(0)]]) { out[0] = Rank<int>::value; out[1] = Rank<device int *>::value; out[2] = Rank<thread float *>::value; out[3] = Rank<int[3]>::value; }
template <int N> struct Sum { static constexpr constant int value = N + Sum<N - 1>::value; };
template <> struct Sum<0> { static constexpr constant int value = 0; };
// want int 55 5050
kernel void recursion_in_classes(device int *out [[buffer(0)]]) { out[0] = Sum<10>::value; out[1] = Sum<100>::value; }
template <typename A, typename B> struct Same { enum { yes = 0 }; };
template <typename A> struct Same<A, A> { enum { yes = 1 }; };
// want int 1 0 1
kernel void one_parameter_twice(device int *out [[buffer(0)]]) { out[0] = Same<int, int>::yes; out[1] = Same<int, uint>::yes; out[2] = Same<float4, vec<float, 4>>::yes; }
template <typename T> struct Holder { using type = T; template <typename U> struct Rebind { using type = U; }; };
template <typename H> typename H::type first_of(H) { return typename H::type(7.9f); }
template <typename H> int rebound(H) { typename H::template Rebind<short>::type s = 70000; return s; }
// want int 7 4464
kernel void dependent_types(device int *out [[buffer(0)]]) { out[0] = first_of(Holder<int>()); out[1] = rebound(Holder<float>()); }
template <template <typename> class W, typename T> int unwrap(W<T> w) { return int(w.v) + 1; }
template <typename T> struct WrapA { T v; };
template <typename T> struct WrapB { float x; T v; };
// want int 5 9
kernel void template_template(device int *out [[buffer(0)]]) { out[0] = unwrap(WrapA<int>{4}); out[1] = unwrap(WrapB<char>{1.5f, 8}); }
template <int (*F)(int), int N> int apply_times(int x) { for (int i = 0; i < N; i++) x = F(x); return x; }
int doubled(int x) { return 2 * x; } int less_one(int x) { return x - 1; }
// want int 24 2
kernel void function_parameters(device int *out [[buffer(0)]]) { out[0] = apply_times<doubled, 3>(3); out[1] = apply_times<less_one, 5>(7); }
template <typename T> T largest(T a) { return a; }
template <typename T, typename... R> T largest(T a, R... rest) { T b = largest(T(rest)...); return a > b ? a : b; }
// want int 9 4
kernel void packs_recursive(device int *out [[buffer(0)]]) { out[0] = largest(3, 9, 2, 5); out[1] = largest(4); }
template <typename... T> int count_of(T...) { return sizeof...(T); }
template <int... N> int sum_of() { int a[] = {N...}; int s = 0; for (int i = 0; i < int(sizeof...(N)); i++) s += a[i]; return s; }
// want int 0 3 15
kernel void packs_counted(device int *out [[buffer(0)]]) { out[0] = count_of(); out[1] = count_of(1, 2.0f, 'c'); out[2] = sum_of<1, 2, 3, 4, 5>(); }
template <typename T, typename = enable_if_t<is_integral<T>::value>> int kind_of(T) { return 1; }
template <typename T, typename = enable_if_t<is_floating_point<T>::value>, typename = void> int kind_of(T) { return 2; }
// want int 1 2 1 2
kernel void enabled(device int *out [[buffer(0)]]) { out[0] = kind_of(3); out[1] = kind_of(3.0f); out[2] = kind_of(uchar(1)); out[3] = kind_of(half(1)); }
template <typename T> auto has_size(T t) -> decltype(t.size()) { return t.size(); }
int has_size(int x) { return -x; }
struct Sized { int size() const { return 12; } };
// want int 12 -5
kernel void expression_sfinae(device int *out [[buffer(0)]]) { out[0] = has_size(Sized()); out[1] = has_size(5); }
template <typename T> constexpr constant bool is_small = sizeof(T) < 4;
template <> constexpr constant bool is_small<bool> = false;
// want int 1 0 0
kernel void variable_templates(device int *out [[buffer(0)]]) { out[0] = is_small<short>; out[1] = is_small<int>; out[2] = is_small<bool>; }
template <typename T> using Pair = array<T, 2>;
// want int 5 8
kernel void alias_templates(device int *out [[buffer(0)]]) { Pair<int> p = {2, 3}; out[0] = p[0] + p[1]; out[1] = sizeof(Pair<float>); }
template <typename T> struct Base1 { T x; int id() const { return 1; } };
template <typename T> struct Derived1 : Base1<T> { int twice() const { return 2 * int(this->x) + Base1<T>::id(); } };
// want int 11
kernel void dependent_bases(device int *out [[buffer(0)]]) { Derived1<int> d; d.x = 5; out[0] = d.twice(); }
template <typename T> int overloaded(T) { return 1; } template <typename T> int overloaded(vec<T, 2>) { return 2; } template <typename T, int N> int overloaded(vec<T, N>) { return 3; } int overloaded(float3) { return 4; }
// want int 1 2 3 4
kernel void more_special(device int *out [[buffer(0)]]) { out[0] = overloaded(1); out[1] = overloaded(int2(0)); out[2] = overloaded(int4(0)); out[3] = overloaded(float3(0)); }
template <typename T, T V> struct Const { static constexpr constant T value = V; constexpr operator T() const { return V; } };
// want int 7 3
kernel void value_of_a_type(device int *out [[buffer(0)]]) { out[0] = Const<int, 7>::value; out[1] = Const<uchar, 3>(); }
template <bool B> int choose() { return 1; } template <> int choose<true>() { return 2; }
// want int 1 2 2
kernel void bool_parameters(device int *out [[buffer(0)]]) { out[0] = choose<false>(); out[1] = choose<(3 > 2)>(); out[2] = choose<sizeof(int) == 4>(); }
enum class Mode { add, mul }; template <Mode M> int combine(int a, int b) { return M == Mode::add ? a + b : a * b; }
// want int 7 12
kernel void enum_parameters(device int *out [[buffer(0)]]) { out[0] = combine<Mode::add>(3, 4); out[1] = combine<Mode::mul>(3, 4); }
template <typename T> struct Counter { T n; thread Counter &operator+=(T x) thread { n += x; return *this; } T operator()(T k) const thread { return n * k; } operator T() const thread { return n; } };
// want int 9 27 9
kernel void operators_of_templates(device int *out [[buffer(0)]]) { Counter<int> c{4}; c += 5; out[0] = c.n; out[1] = c(3); out[2] = c; }
template <typename T> T sum_array(const device T *p, int n) { T s = T(0); for (int i = 0; i < n; ++i) s += p[i]; return s; }
template <typename T> T sum_array(const thread T *p, int n) { T s = T(0); for (int i = 0; i < n; ++i) s += 2 * p[i]; return s; }
// want int 1 2 12 3
kernel void address_spaces_decide(device int *out [[buffer(0)]]) { out[0] = 1; out[1] = 2; int t[2] = {1, 5}; out[3] = sum_array(out, 2); out[2] = sum_array(t, 2); }
template <int N, typename T = float> struct Poly { T c[N]; T at(T x) const { T r = 0; for (int i = N; i-- > 0;) r = r * x + c[i]; return r; } };
// want float 17 3
kernel void default_type(device float *out [[buffer(0)]]) { Poly<3> p = {{1, 2, 3}}; out[0] = p.at(2); Poly<2, int> q = {{1, 2}}; out[1] = q.at(1); }
template <typename F> float at_two(F f) { return f(2.0f); } struct Cube { float operator()(float x) const { return x * x * x; } };
// want float 8
kernel void functors(device float *out [[buffer(0)]]) { out[0] = at_two(Cube()); }
template <typename T> struct Static { static T make(T x) { return x + T(1); } template <int K> static T times(T x) { return x * K; } };
// want int 5 12
kernel void static_functions(device int *out [[buffer(0)]]) { out[0] = Static<int>::make(4); out[1] = Static<int>::times<3>(4); }
template <typename T> int by_static(T) { return T::template times<2>(4) + T::make(1); }
// want int 10
kernel void dependent_static_template(device int *out [[buffer(0)]]) { out[0] = by_static(Static<int>()); }
