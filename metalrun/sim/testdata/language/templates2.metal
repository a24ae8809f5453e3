// Function and class templates: deduction, specialisation, non-type parameters, SFINAE, variable and alias templates.
#include <metal_stdlib>
using namespace metal;

template <typename T> T twice(T x) { return x + x; }
template <typename T, typename U> auto sum(T a, U b) -> decltype(a + b) { return a + b; }
template <int N> int add(int x) { return x + N; }
template <int N, typename T> T scale(T x) { return x * N; }
template <typename T, int N> int length(const thread T (&)[N]) { return N; }
template <typename T, int N> T total(const thread T (&a)[N]) { T s = 0; for (int i = 0; i < N; i++) s += a[i]; return s; }
template <typename T> int rank(T) { return 1; }
template <typename T> int rank(thread T *) { return 2; }
template <typename T> int rank(const thread T *) { return 3; }
template <typename T> int rank(thread T *thread *) { return 4; }
template <typename T> int category() { return 0; }
template <> int category<int>() { return 1; }
template <> int category<float>() { return 2; }
template <typename T, typename U = T> int same() { return is_same_v<T, U> ? 1 : 0; }
template <int N> struct Fact { enum { value = N * Fact<N - 1>::value }; };
template <> struct Fact<0> { enum { value = 1 }; };
template <int A, int B> struct Gcd { static constant constexpr int value = Gcd<B, A % B>::value; };
template <int A> struct Gcd<A, 0> { static constant constexpr int value = A; };

// want int 6 -4
kernel void deduced(device int *out [[buffer(0)]]) { out[0] = twice(3); out[1] = twice(char(-2)); }
// want float 5 3.5
kernel void deduced_floats(device float *out [[buffer(0)]]) { out[0] = twice(2.5f); out[1] = sum(1, 2.5f); }
// want int 8 -1 21
kernel void values(device int *out [[buffer(0)]]) { out[0] = add<5>(3); out[1] = add<-4>(3); out[2] = scale<3>(7); }
// want int 3 6 5 10
kernel void array_bounds(device int *out [[buffer(0)]]) { int a[3] = {1, 2, 3}; short b[5] = {0, 1, 2, 3, 4}; out[0] = length(a); out[1] = total(a); out[2] = length(b); out[3] = total(b); }
// want int 1 2 3 4
kernel void partial_ordering(device int *out [[buffer(0)]]) { int i = 0; thread int *p = &i; const thread int *q = &i; out[0] = rank(i); out[1] = rank(p); out[2] = rank(q); out[3] = rank(&p); }
// want int 1 2 0 0
kernel void full_specialisations(device int *out [[buffer(0)]]) { out[0] = category<int>(); out[1] = category<float>(); out[2] = category<uint>(); out[3] = category<half>(); }
// want int 1 0 1
kernel void default_template_arguments(device int *out [[buffer(0)]]) { out[0] = same<int>(); out[1] = same<int, uint>(); out[2] = same<float, float>(); }
// want int 1 24 720
kernel void recursion_of_classes(device int *out [[buffer(0)]]) { out[0] = Fact<0>::value; out[1] = Fact<4>::value; out[2] = Fact<6>::value; }
// want int 6 1 12
kernel void euclid(device int *out [[buffer(0)]]) { out[0] = Gcd<54, 24>::value; out[1] = Gcd<17, 5>::value; out[2] = Gcd<12, 0>::value; }

template <typename T> struct Traits { static constant constexpr int id = 0; typedef T wide; };
template <> struct Traits<char> { static constant constexpr int id = 1; typedef int wide; };
template <typename T> struct Traits<thread T *> { static constant constexpr int id = 2 + Traits<T>::id; typedef T wide; };
template <typename T, int N> struct Traits<vec<T, N>> { static constant constexpr int id = 100 + N; typedef T wide; };
template <typename T> typename Traits<T>::wide widen(T x) { return x; }

// want int 0 1 3 2 104
kernel void partial_specialisations(device int *out [[buffer(0)]]) { out[0] = Traits<int>::id; out[1] = Traits<char>::id; out[2] = Traits<thread char *>::id; out[3] = Traits<thread float *>::id; out[4] = Traits<float4>::id; }
// want int 4 2 2
kernel void dependent_types(device int *out [[buffer(0)]]) { out[0] = sizeof(widen(char(1))); out[1] = sizeof(widen(short(1))); out[2] = sizeof(Traits<half3>::wide); }

template <typename T> struct Stack {
    T items[8];
    int count = 0;
    void push(T x) thread { items[count++] = x; }
    T pop() thread { return items[--count]; }
    template <typename U> U top() const { return U(items[count - 1]); }
    int size() const;
    struct Mark { int at; };
    Mark mark() const { return Mark{count}; }
};
template <typename T> int Stack<T>::size() const { return count * int(sizeof(T)); }

// want int 3 2 1
kernel void member_functions(device int *out [[buffer(0)]]) { Stack<int> s; s.push(1); s.push(2); s.push(3); for (int i = 0; i < 3; i++) out[i] = s.pop(); }
// want int 2 6 3 3
kernel void member_templates(device int *out [[buffer(0)]]) { Stack<half> s; s.push(1.0h); s.push(5.5h); s.push(2.75h); out[0] = s.top<int>(); out[1] = s.size(); Stack<half>::Mark m = s.mark(); out[2] = m.at; out[3] = int(s.template top<float>() * 1.25f); }

template <typename T> struct is_small { static constant constexpr bool value = sizeof(T) < 4; };
template <typename T> enable_if_t<is_small<T>::value, int> size_class(T) { return 1; }
template <typename T> enable_if_t<!is_small<T>::value, int> size_class(T) { return 2; }
template <typename T, typename = void> struct has_id { static constant constexpr int value = 0; };
template <typename T> struct has_id<T, void_t<decltype(T::id)>> { static constant constexpr int value = T::id; };
struct With { static constant constexpr int id = 7; };
struct Without { int other; };
template <typename T> auto probe(T t, int) -> decltype(t.other) { return 5; }
template <typename T> int probe(T, long) { return 6; }

// want int 1 1 2 2
kernel void enabled(device int *out [[buffer(0)]]) { out[0] = size_class(char(0)); out[1] = size_class(half(0)); out[2] = size_class(0); out[3] = size_class(float4(0)); }
// want int 7 0 5 6
kernel void detected(device int *out [[buffer(0)]]) { out[0] = has_id<With>::value; out[1] = has_id<Without>::value; out[2] = probe(Without(), 0); out[3] = probe(With(), 0); }

template <typename T> constant constexpr int bytes = sizeof(T);
template <typename T> constant constexpr int bytes<vec<T, 3>> = 3 * sizeof(T);
template <> constant constexpr int bytes<bool> = -1;
template <int N> constant constexpr int square = N * N;
template <typename T> using Pointer = thread T *;
template <typename T, int N> using Row = T[N];
template <typename T> using Pair = vec<T, 2>;
template <template <typename> class C, typename T> int nested(C<T>) { return int(sizeof(T)); }
template <typename T> struct One { T v; };

// want int 4 6 -1 2 49
kernel void variable_templates(device int *out [[buffer(0)]]) { out[0] = bytes<int>; out[1] = bytes<half3>; out[2] = bytes<bool>; out[3] = bytes<ushort>; out[4] = square<7>; }
// want int 5 12 3 4
kernel void alias_templates(device int *out [[buffer(0)]]) { int i = 5; Pointer<int> p = &i; out[0] = *p; Row<int, 3> r = {1, 2, 3}; out[1] = sizeof(r); Pair<int> v = {3, 4}; out[2] = v.x; out[3] = v.y; }
// want int 4 2
kernel void template_template_parameters(device int *out [[buffer(0)]]) { One<int> a = {1}; One<half> b = {1.0h}; out[0] = nested(a); out[1] = nested(b); }

struct Add { int operator()(int a, int b) const { return a + b; } static constant constexpr int unit = 0; };
struct Mul { int operator()(int a, int b) const { return a * b; } static constant constexpr int unit = 1; };
template <typename Op, int N> int reduce(const thread int (&a)[N], Op op = Op()) { int r = Op::unit; for (int i = 0; i < N; i++) r = op(r, a[i]); return r; }
template <int (*F)(int)> int apply(int x) { return F(x); }
int negate_it(int x) { return -x; }
int triple(int x) { return 3 * x; }
template <bool B> int chosen() { return B ? 1 : 2; }
template <char C> int letter() { return C; }
enum class Mode { fast = 3, slow = 9 };
template <Mode M> int mode() { return int(M); }

// want int 10 24
kernel void functors(device int *out [[buffer(0)]]) { int a[4] = {1, 2, 3, 4}; out[0] = reduce<Add>(a); out[1] = reduce<Mul>(a); }
// want int -5 15
kernel void functions_as_arguments(device int *out [[buffer(0)]]) { out[0] = apply<negate_it>(5); out[1] = apply<triple>(5); }
// want int 1 2 120 9 3
kernel void other_value_parameters(device int *out [[buffer(0)]]) { out[0] = chosen<true>(); out[1] = chosen<(2 > 3)>(); out[2] = letter<'x'>(); out[3] = mode<Mode::slow>(); out[4] = mode<Mode(3)>(); }
template <typename T> struct Lazy { void bad() { T t; t.no_such(); } int good() { return 4; } };
template <typename T> int never(T t) { return t.no_such_member; }
// want int 4
kernel void unused_members_are_not_checked(device int *out [[buffer(0)]]) { Lazy<int> l; out[0] = l.good(); }
template <typename D> struct Crtp { int twice() { return 2 * static_cast<thread D *>(this)->value(); } };
struct Leaf : Crtp<Leaf> { int value() { return 21; } };
// want int 42
kernel void recurring_template(device int *out [[buffer(0)]]) { Leaf l; out[0] = l.twice(); }
template <typename T> struct Node { T v; Node(T x) : v(x) {} template <typename F> auto map(F f) const -> Node<decltype(f(v))> { return Node<decltype(f(v))>(f(v)); } };
struct Half { float operator()(int x) const { return x * 0.5f; } };
// want float 3.5
kernel void mapped(device float *out [[buffer(0)]]) { Node<int> n(7); out[0] = n.map(Half()).v; }
template <typename A, typename B> struct Both { A a; B b; }; template <typename A, typename B> Both<A, B> both(A a, B b) { return {a, b}; }
template <typename A> int first(Both<A, int> p) { return p.a + p.b; } template <typename A, typename B> int first(Both<A, B> p) { return p.a; }
// want int 3 1
kernel void partially_fixed(device int *out [[buffer(0)]]) { out[0] = first(both(1, 2)); out[1] = first(both(1, 2.0f)); }

template <typename T> struct Unnamed {
    T t;
    int own = 3;
    struct Inner { typename T::nothing x; static_assert(sizeof(T) == 99, "nobody names it"); };
    struct Named { T u; };
    static constexpr constant int absent = T::nothing;
    static constexpr constant int size = sizeof(T);
    int uncalled(int x = T::nothing) { return t.nothing(x); }
    void unchecked() { static_assert(sizeof(T) == 99, "nobody calls it"); }
    template <typename U = typename T::nothing> void neither() {}
    using type = T;
};
template <typename T> struct Initialised { int a = T::nothing; int b; Initialised() : b(1) {} Initialised(int x) : a(x), b(x + 1) {} };

// want int 11 8 5
kernel void members_that_nobody_names(device int *out [[buffer(0)]])
{
    Unnamed<int> u;
    u.t = 4;
    Initialised<int> i(7);
    Unnamed<int>::Named n = {5};
    out[0] = u.t + u.own + Unnamed<int>::size;
    out[1] = i.b;
    out[2] = n.u;
}

template <typename T, int = sizeof(typename T::type)> int pick(T, int) { return 1; }
template <typename T> int pick(T, long) { return 2; }
template <typename T, typename = void> struct Sized { static constexpr constant int value = 0; };
template <typename T> struct Sized<T, enable_if_t<(T::size > 4)>> { static constexpr constant int value = T::size; };

// want int 1 2 0 8
kernel void substitution_failures(device int *out [[buffer(0)]])
{
    out[0] = pick(Unnamed<int>(), 0);
    out[1] = pick(3, 0);
    out[2] = Sized<int>::value + Sized<Unnamed<int>>::value;
    out[3] = Sized<Unnamed<long>>::value;
}

template <typename F> struct Call { static constexpr constant int parameters = -1; };
template <typename R, typename... P> struct Call<R(P...)> { static constexpr constant int parameters = sizeof...(P); };
template <typename P> struct Call<int(P)> { static constexpr constant int parameters = 100; };
template <typename R, typename... P> int parameters_of(R (*)(P...)) { return sizeof...(P); }
static float sum_of_two(int a, half b) { return a + float(b); }

// want int 2 0 100 -1 2 1
kernel void packs_in_function_types(device int *out [[buffer(0)]])
{
    out[0] = Call<float(int, half)>::parameters;
    out[1] = Call<int()>::parameters;
    out[2] = Call<int(char)>::parameters;
    out[3] = Call<int>::parameters;
    out[4] = parameters_of(sum_of_two);
    out[5] = Call<float(int)>::parameters;
}

template <typename... Ts> struct Types {};
template <typename L, template <typename> class F> struct Mapped;
template <typename... Ts, template <typename> class F> struct Mapped<Types<Ts...>, F> { using type = Types<typename F<Ts>::type...>; };
template <template <typename> class F> struct Named { static constexpr constant int value = 1; };
template <> struct Named<remove_const> { static constexpr constant int value = 2; };
template <typename T, template <typename> class F> struct Twice { static constexpr constant int value = 3; };
template <typename T> struct Twice<T, remove_const> { static constexpr constant int value = 4; };

// want int 1 2 1 4 3
kernel void templates_as_patterns(device int *out [[buffer(0)]])
{
    out[0] = is_same<Mapped<Types<const int, float>, remove_const>::type, Types<int, float>>::value;
    out[1] = Named<remove_const>::value;
    out[2] = Named<remove_cv>::value;
    out[3] = Twice<int, remove_const>::value;
    out[4] = Twice<int, remove_cv>::value;
}

template <typename T, int N> struct Strip {
    T v[N];
    template <typename U> explicit operator Strip<U, N>() const
    {
        Strip<U, N> r;
        for (int i = 0; i < N; i++) {
            r.v[i] = U(v[i]);
        }
        return r;
    }
    operator Strip<float, 1>() const { return {float(v[0]) + 0.5f}; }
};

// want float 2 1.5
kernel void converted_to_another_instance(device float *out [[buffer(0)]])
{
    Strip<float, 3> r = {1.25f, 2.75f, 3};
    out[0] = static_cast<Strip<int, 3>>(r).v[1];
    Strip<float, 1> first = Strip<int, 2>{1, 9};
    out[1] = first.v[0];
}

template <typename T> int arrays_first(const thread T &) { return 1; }
template <typename T, size_t N> int arrays_first(const thread T (&)[N]) { return int(N) * 10; }

// want int 1 30 20
kernel void arrays_are_more_special(device int *out [[buffer(0)]])
{
    int one = 1, three[3] = {}, two[2][5] = {};
    out[0] = arrays_first(one);
    out[1] = arrays_first(three);
    out[2] = arrays_first(two);
}
