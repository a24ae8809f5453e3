// Class and variable templates: deduction of their arguments, specialisations, members of templates.
// version 400
#include <metal_stdlib>
using namespace metal;

template <typename T> struct Box
{
    T v;
    Box(T x) : v(x) {}
    T get() const { return v; }
};
template <typename T, typename U> struct Two
{
    T a;
    U b;
    Two(T x, U y) : a(x), b(y) {}
};

// want int 5 4 3
kernel void deduced_from_constructors(device int *out [[buffer(0)]])
{
    Box b(5);
    Two t(2.5f, short(3));
    out[0] = b.get();
    out[1] = sizeof(t.a);
    out[2] = t.b;
}

// want int 7 2
kernel void deduced_from_braces(device int *out [[buffer(0)]])
{
    Box b{7};
    auto c = Box(half(1));
    out[0] = b.v;
    out[1] = sizeof(c);
}

template <typename T> struct Agg { T a, b; };
template <typename T> Agg(T, T) -> Agg<T>;

// want int 3 8
kernel void guides(device int *out [[buffer(0)]])
{
    Agg g{1, 2};
    Agg l{1l, 2l};
    out[0] = g.a + g.b;
    out[1] = sizeof(l.a);
}

template <typename T> constexpr constant T two = T(2);
template <> constexpr constant int two<int> = 22;
template <typename T> constexpr constant bool is_small = false;
template <> constexpr constant bool is_small<char> = true;
template <typename T> constexpr constant bool is_small<vec<T, 2>> = is_small<T>;

// want int 22 2 1 0 1
kernel void variable_templates(device int *out [[buffer(0)]])
{
    out[0] = two<int>;
    out[1] = int(two<float>);
    out[2] = is_small<char>;
    out[3] = is_small<int>;
    out[4] = is_small<char2>;
}

template <typename T, int N = 4, typename U = T> struct Defaults
{
    static constexpr constant int n = N;
    using other = U;
    template <typename V> using rebound = Defaults<V, N>;
};

// want int 4 2 8 7
kernel void defaults(device int *out [[buffer(0)]])
{
    out[0] = Defaults<int>::n;
    out[1] = sizeof(Defaults<half>::other);
    out[2] = sizeof(Defaults<half, 7, long>::other);
    out[3] = Defaults<half, 7>::rebound<float>::n;
}

template <typename T> struct Kind { static constexpr int id() { return 0; } };
template <> struct Kind<float> { static constexpr int id() { return 1; } };
template <typename T> struct Kind<device T *> { static constexpr int id() { return 10 + Kind<T>::id(); } };
template <typename T> struct Kind<const T> { static constexpr int id() { return 20 + Kind<T>::id(); } };
template <typename T, int N> struct Kind<vec<T, N>> { static constexpr int id() { return 100 * N + Kind<T>::id(); } };
template <typename T, int N> struct Kind<T[N]> { static constexpr int id() { return 1000 * N; } };

// want int 0 1 11 301 3000 21
kernel void partial_specialisations(device int *out [[buffer(0)]])
{
    out[0] = Kind<int>::id();
    out[1] = Kind<float>::id();
    out[2] = Kind<device float *>::id();
    out[3] = Kind<float3>::id();
    out[4] = Kind<int[3]>::id();
    out[5] = Kind<const float>::id();
}

template <typename T> struct Outer
{
    template <typename U> struct Inner
    {
        static int size() { return sizeof(T) * 10 + sizeof(U); }
    };
    template <typename U> U cast(T v) const { return U(v); }
    template <int N> int times(int k) const { return N * k; }
};

// want int 42 3 12
kernel void members(device int *out [[buffer(0)]])
{
    out[0] = Outer<float>::Inner<half>::size();
    Outer<float> o;
    out[1] = o.cast<int>(3.9f);
    out[2] = o.times<4>(3);
}

template <typename T> int dependent(T)
{
    typename T::template Inner<char> *p = nullptr;
    return p == nullptr ? T::template Inner<char>::size() : 0;
}

// want int 81
kernel void dependent_names(device int *out [[buffer(0)]])
{
    out[0] = Outer<long>::Inner<char>::size();
}

template <typename D> struct Crtp
{
    int twice() const { return 2 * static_cast<thread const D &>(*this).value(); }
};
struct Leaf : Crtp<Leaf> { int value() const { return 21; } };

// want int 42
kernel void curious(device int *out [[buffer(0)]]) { Leaf l; out[0] = l.twice(); }

template <int N> struct fib { static constexpr constant int value = fib<N - 1>::value + fib<N - 2>::value; };
template <> struct fib<0> { static constexpr constant int value = 0; };
template <> struct fib<1> { static constexpr constant int value = 1; };

// want int 55
kernel void recursion(device int *out [[buffer(0)]]) { out[0] = fib<10>::value; }

template <typename T, typename = void> struct has_size : false_type {};
template <typename T> struct has_size<T, void_t<decltype(T::n)>> : true_type {};

// want int 1 0
kernel void detection(device int *out [[buffer(0)]])
{
    out[0] = has_size<Defaults<int>>::value;
    out[1] = has_size<Leaf>::value;
}

template <typename T> enable_if_t<is_integral_v<T>, int> classify(T) { return 1; }
template <typename T> enable_if_t<is_floating_point_v<T>, int> classify(T) { return 2; }
template <typename T, enable_if_t<sizeof(T) == 2, bool> = true> int width(T) { return 16; }
template <typename T, enable_if_t<sizeof(T) == 4, bool> = true> int width(T) { return 32; }

// want int 1 2 16 32
kernel void constrained(device int *out [[buffer(0)]])
{
    out[0] = classify(3);
    out[1] = classify(3.0h);
    out[2] = width(short(1));
    out[3] = width(1u);
}

template <auto V> constexpr int plus_one() { return int(V) + 1; }
template <typename T, T V> struct constant_of { static constexpr T get() { return V; } };
enum class Mode { a, b = 7 };
template <Mode M> int mode() { return int(M); }
template <bool B, typename T = int> T chosen(T v) { return B ? v : T(0); }

// want int 6 9 7 5 0
kernel void values_as_arguments(device int *out [[buffer(0)]])
{
    out[0] = plus_one<5>();
    out[1] = constant_of<short, 9>::get();
    out[2] = mode<Mode::b>();
    out[3] = chosen<true>(5);
    out[4] = chosen<false>(5);
}

template <typename T> T pick(T a, T) { return a; }
template <typename T, typename U> T pick(T, U b) { return T(b) + 100; }
template <typename T> int rank_of(T) { return 1; }
template <typename T> int rank_of(thread T *) { return 2; }
template <typename T> int rank_of(thread const T *) { return 3; }

// want int 1 102 1 2 3
kernel void more_special(device int *out [[buffer(0)]])
{
    out[0] = pick(1, 2);
    out[1] = pick(1, 2.5f);
    int x = 0;
    const int y = 0;
    out[2] = rank_of(x);
    out[3] = rank_of(&x);
    out[4] = rank_of(&y);
}

template <typename T> struct Stat { static int count() { return sizeof(T); } int f() const; };
template <typename T> int Stat<T>::f() const { return 10 * count(); }
template <> int Stat<char>::f() const { return -1; }
template struct Stat<int>;
extern template struct Stat<long>;

// want int 40 -1
kernel void out_of_class(device int *out [[buffer(0)]])
{
    out[0] = Stat<int>{}.f();
    out[1] = Stat<char>{}.f();
}

template <template <typename> class C, typename T> T unwrap(C<T> c) { return c.v; }

// want int 12
kernel void template_template(device int *out [[buffer(0)]]) { out[0] = unwrap(Box<int>(12)); }

template <typename T> using Ptr = device T *;
template <typename T> T read(Ptr<T> p, uint i) { return p[i]; }
template <int N> using floats = vec<float, N>;

// want int 4 0
kernel void aliases(device int *out [[buffer(0)]])
{
    out[1] = 0;
    out[0] = 4;
    out[0] = read<int>(out, 0);
    out[1] = read(out, 1) + int(floats<2>(0.25f).x);
}

template <typename Op, typename T> struct Operation
{
    T operator()(T a, T b) { return Op()(a, b); }
};
template <typename R, typename Op> struct Loader
{
    Operation<Op, R> operate;
    R operator()(R value, int x) { return operate(value, x); }
};
template <typename T> struct Tally { int n; T sum; };
template <typename Op, typename T> struct Operation<Op, Tally<T>>
{
    Tally<T> operator()(Tally<T> a, Tally<T> b) { return {a.n + b.n, a.sum + b.sum}; }
    template <typename U> Tally<T> operator()(Tally<T> a, U b) { return this->operator()(a, Tally<T>{1, T(b)}); }
};

// want int 2 12
kernel void specialised_after_first_use(device int *out [[buffer(0)]])
{
    Loader<Tally<float>, int> load;
    Tally<float> t{0, 0};
    t = load(load(t, 5), 7);
    out[0] = t.n;
    out[1] = int(t.sum);
}

namespace metal { inline int absdiff(Leaf, Leaf) { return 77; } }
namespace opened {
using namespace metal;
inline int both(int x) { return absdiff(x, 2) + absdiff(Leaf(), Leaf()); }
}

// want int 80
kernel void additions_to_the_library(device int *out [[buffer(0)]]) { out[0] = opened::both(5); }

struct Three { constexpr operator int() const { return 3; } };
struct Shape { int m, n; bool flip; };
template <Shape S> struct Tile { static constexpr int area() { return S.m * S.n + S.flip; } };
template <int N> int thrice() { return 3 * N; }

// want int 9 25 24 1
kernel void constants_of_class_type(device int *out [[buffer(0)]])
{
    constexpr Shape s{6, 4, true};
    Three t;
    out[0] = thrice<t>();
    out[1] = Tile<s>::area();
    out[2] = Tile<Shape{6, 4, false}>::area();
    out[3] = is_same_v<Tile<s>, Tile<Shape{6, 4, true}>>;
}

template <typename T> struct Named { using type = T; };
template <typename T> struct Namer { using alias = Named<T>; };
template <typename T> struct Cells { T at[2]; device T &operator[](int i) device { return at[i]; } };

struct Short { using type = short; type v; };
using Deep = Named<Namer<int>::alias>::type::type;
static Named<Short>::type::type halved(Named<Short>::type::type x, thread Named<Short>::type::type &y) { y = x; return x / 2; }

// want int 4 2 2 3 2
kernel void types_of_members(device int *out [[buffer(0)]]) { out[0] = sizeof(Named<Namer<int>::alias>::type::type) + sizeof(Deep) - 4; out[1] = sizeof(Named<Named<half>::type>::type); out[2] = alignof(Named<Short>::type::type); out[3] = (Named<Short>::type::type)3.5f; out[4] = is_same_v<Named<Short>::type::type, short> + sizeof(char) * Named<Short>::type::type{1}; }
// want int 4 9 13
kernel void objects_of_such_types(device int *out [[buffer(0)]]) { Named<Short>::type::type x = 9, y; const Named<Short>::type::type h = halved(x, y); out[0] = h; out[1] = y; thread Named<Short>::type::type *p = &x; for (Named<Short>::type::type i = 0; i < 2; i++) *p += Named<Short>::type::type(2.5f); out[2] = x; }
// want uint 3 8
kernel void references_to_atomic_elements(device Cells<atomic_uint> *out [[buffer(0)]]) { atomic_store_explicit(&(*out)[0], 3u, memory_order_relaxed); atomic_store_explicit(&(*out)[1], 8u, memory_order_relaxed); }

template <typename T, int N = 4> struct Later;
template <typename U, int M> struct Later { U at[M]; };
template <typename T, typename O = T> int given_later(T t, O o, int n = 3);
template <typename A, typename B> int given_later(A a, B b, int) { return sizeof(A) * 10 + sizeof(B); }
template <typename T, short N = 64> kernel void launched_later(device T *out [[buffer(0)]]);
template <typename A, short K> kernel void launched_later(device A *out [[buffer(0)]]) { out[0] = K; }
template <typename T> struct Around {
    T t;
    struct Within { T u; int twice() const; thread Within &operator++(); };
    template <typename U> struct Generic { U u; int both(T t) const; };
};
template <typename T> int Around<T>::Within::twice() const { return int(u) * 2; }
template <typename T> auto Around<T>::Within::operator++() -> thread Within & { ++u; return *this; }
template <typename T> template <typename U> int Around<T>::Generic<U>::both(T t) const { return sizeof(T) * 10 + sizeof(U); }
using Told [[maybe_unused]] = short;
template <typename T> using Pointed [[maybe_unused]] = device T *;

// want int 16 42 24 2
kernel void declared_before(device int *out [[buffer(0)]]) { out[0] = sizeof(Later<int>); out[1] = given_later(1, 2.0h); out[2] = given_later<short>(1, 2); Pointed<int> p = out; p[3] = sizeof(Told); }
// want int 8 41
kernel void members_of_nested_classes(device int *out [[buffer(0)]]) { Around<float>::Within w{3.5f}; out[0] = (++w).twice(); Around<int>::Generic<char> g{1}; out[1] = g.both(2); }

template <int I, typename T, typename... R> struct Tuple : Tuple<I + 1, R...> { T v; Tuple(T t, R... r) : Tuple<I + 1, R...>(r...), v(t) {} };
template <int I, typename T> struct Tuple<I, T> { T v; Tuple(T t) : v(t) {} };
template <int I, typename T, typename... R> thread T &element(thread Tuple<I, T, R...> &t) { return t.v; }
template <auto... F> struct Steps { static int run(int x) { ((x = F(x)), ...); return x; } };
static int one_more(int x) { return x + 1; }
static int doubled(int x) { return x * 2; }

// want int 4 25 99 13
kernel void bases_that_are_instances_too(device int *out [[buffer(0)]]) { Tuple<0, int, float, char> t(1, 2.5f, 'c'); element<0>(t) = 4; out[0] = element<0>(t); out[1] = int(element<1>(t) * 10); out[2] = element<2>(t); out[3] = Steps<one_more, doubled, one_more>::run(5); }
