// Variadic templates and folds.
#include <metal_stdlib>
using namespace metal;

template <typename... T> struct count { static constant constexpr int value = sizeof...(T); };

// want int 0 3
kernel void counting(device int *out [[buffer(0)]])
{
    out[0] = count<>::value;
    out[1] = count<int, float, half>::value;
}

template <typename T> int last(T x) { return x; }
template <typename T, typename... R> int last(T, R... r) { return last(r...); }

// want int 9
kernel void recursion(device int *out [[buffer(0)]]) { out[0] = last(1, 5, 9); }

template <int... N> struct ints
{
    static constexpr int sum() { return (N + ... + 0); }
    static constexpr constant int size = sizeof...(N);
};

// want int 10 4 0
kernel void values(device int *out [[buffer(0)]])
{
    out[0] = ints<1, 2, 3, 4>::sum();
    out[1] = ints<1, 2, 3, 4>::size;
    out[2] = ints<>::sum();
}

template <typename T, typename... R> struct first_of { using type = T; };

// want int 2 8
kernel void first_type(device int *out [[buffer(0)]])
{
    out[0] = sizeof(typename first_of<half, float>::type);
    out[1] = sizeof(first_of<long>::type);
}

template <int I, typename T, typename... R> struct nth { using type = typename nth<I - 1, R...>::type; };
template <typename T, typename... R> struct nth<0, T, R...> { using type = T; };

// want int 4 1
kernel void nth_type(device int *out [[buffer(0)]])
{
    out[0] = sizeof(typename nth<1, half, float, char>::type);
    out[1] = sizeof(typename nth<2, half, float, char>::type);
}

template <typename... T> struct tuple;
template <> struct tuple<> {};
template <typename T, typename... R> struct tuple<T, R...>
{
    T head;
    tuple<R...> tail;
};

// want int 5 6
kernel void recursive_struct(device int *out [[buffer(0)]])
{
    tuple<int, short> t{5, {6, {}}};
    out[0] = t.head;
    out[1] = t.tail.head;
}

template <typename T, typename... A> T make(A... a) { return T{a...}; }
struct three { int a, b, c; };

// want int 1 2 3
kernel void constructing(device int *out [[buffer(0)]])
{
    three t = make<three>(1, 2, 3);
    out[0] = t.a;
    out[1] = t.b;
    out[2] = t.c;
}

template <typename... A> void store(device int *out, A... a)
{
    int i = 0;
    ((out[i++] = a), ...);
}

// want int 3 1 2
kernel void comma_fold(device int *out [[buffer(0)]]) { store(out, 3, 1, 2); }

template <typename... A> int array_of(A... a)
{
    int v[] = {a * 2 ...};
    return v[sizeof...(A) - 1];
}

// want int 8
kernel void expansion_in_array(device int *out [[buffer(0)]]) { out[0] = array_of(1, 2, 4); }

template <typename T, T... V> struct seq { static constant constexpr int n = sizeof...(V); };
template <int... I> int dot(seq<int, I...>, thread const int *a) { return ((I * a[I]) + ...); }

// want int 80 3
kernel void deduced_sequence(device int *out [[buffer(0)]])
{
    int a[3] = {10, 20, 30};
    out[0] = dot(seq<int, 0, 1, 2>{}, a);
    out[1] = seq<int, 4, 4, 4>::n;
}

template <bool... B> constexpr bool all() { return (B && ...); }
template <bool... B> constexpr bool any() { return (... || B); }

// want int 1 0 1 0
kernel void conditions(device int *out [[buffer(0)]])
{
    out[0] = all<true, true>();
    out[1] = all<true, false>();
    out[2] = any<false, true>();
    out[3] = any<>();
}

template <typename... T> struct all_int : bool_constant<(is_same_v<T, int> && ...)> {};

// want int 1 0
kernel void base_from_fold(device int *out [[buffer(0)]])
{
    out[0] = all_int<int, int>::value;
    out[1] = all_int<int, uint>::value;
}

template <template <typename...> class C, typename... T> struct rebind { using type = C<T...>; };

// want int 2
kernel void template_of_pack(device int *out [[buffer(0)]]) { out[0] = rebind<count, int, int>::type::value; }

template <typename F, typename... A> auto call(F f, A... a) { return f(a...); }
struct adder { int operator()(int a, int b) const { return a + b; } };

// want int 11
kernel void forwarding(device int *out [[buffer(0)]]) { out[0] = call(adder{}, 5, 6); }

template <typename... A> int sizes() { return (int(sizeof(A)) + ... + 100); }

// want int 107
kernel void explicit_pack(device int *out [[buffer(0)]]) { out[0] = sizes<char, half, float>(); }

template <int N, int... R> constexpr int maximum()
{
    if constexpr (sizeof...(R) == 0)
        return N;
    else
        return N > maximum<R...>() ? N : maximum<R...>();
}

// want int 9
kernel void constexpr_recursion(device int *out [[buffer(0)]]) { out[0] = maximum<3, 9, 4>(); }

template <typename... T> using common = typename first_of<T...>::type;

// want int 4
kernel void alias_of_pack(device int *out [[buffer(0)]]) { out[0] = sizeof(common<int, half>); }

template <typename... Bases> struct derived : Bases... { };
struct left { int l; };
struct right { int r; };

// want int 8
kernel void pack_of_bases(device int *out [[buffer(0)]]) { out[0] = sizeof(derived<left, right>); }

template <typename T, int... D> struct shape
{
    static constexpr constant int dims[] = {D...};
    static int at(int i) { return dims[i]; }
};

// want int 5 7
kernel void member_array(device int *out [[buffer(0)]])
{
    out[0] = shape<float, 3, 5, 7>::at(1);
    out[1] = shape<float, 3, 5, 7>::dims[2];
}

template <typename... T> int mixed(int n, T... t) { return n * int(sizeof...(t)); }

// want int 0 8
kernel void after_a_parameter(device int *out [[buffer(0)]])
{
    out[0] = mixed(4);
    out[1] = mixed(4, 1.0f, 'c');
}

template <int... A, int... B> int both(seq<int, A...>, seq<int, B...>) { return ((A * B) + ...); }

// want int 32
kernel void two_packs(device int *out [[buffer(0)]]) { out[0] = both(seq<int, 1, 2, 3>{}, seq<int, 4, 5, 6>{}); }
