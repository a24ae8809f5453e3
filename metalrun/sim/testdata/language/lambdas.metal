// Lambdas: captures by value and by reference, parameters, results, and where they may go.
// version 400
#include <metal_stdlib>
using namespace metal;

// want int 7
kernel void none(device int *out [[buffer(0)]])
{
    auto add = [](int a, int b) { return a + b; };
    out[0] = add(3, 4);
}

// want int 15
kernel void by_value(device int *out [[buffer(0)]])
{
    int n = 5;
    auto f = [n](int x) { return n * x; };
    n = 100;
    out[0] = f(3);
}

// want int 8 8
kernel void by_reference(device int *out [[buffer(0)]])
{
    int n = 5;
    auto f = [&n](int x) { n += x; return n; };
    out[0] = f(3);
    out[1] = n;
}

// want int 12 9
kernel void all_by_reference(device int *out [[buffer(0)]])
{
    int a = 2, b = 4;
    auto f = [&]() { b += a; a = 3; };
    f();
    f();
    out[0] = a * 4;
    out[1] = b;
}

// want int 11
kernel void all_by_value(device int *out [[buffer(0)]])
{
    int a = 2, b = 9;
    auto f = [=]() { return a + b; };
    a = b = 0;
    out[0] = f();
}

// want int 6 4
kernel void mixed_default(device int *out [[buffer(0)]])
{
    int a = 1, b = 2, c = 3;
    auto f = [=, &c]() { c += a; return a + b + 3; };
    out[0] = f();
    out[1] = c;
}

// want int 12
kernel void initialised(device int *out [[buffer(0)]])
{
    int a = 5;
    auto f = [k = a + 1](int x) { return k * x; };
    out[0] = f(2);
}

// want int 3
kernel void result_type(device int *out [[buffer(0)]])
{
    auto f = [](float x) -> int { return x; };
    out[0] = f(3.75f);
}

// want int 1 2 3
kernel void counting(device int *out [[buffer(0)]])
{
    int i = 0;
    auto next = [&] { return ++i; };
    out[0] = next();
    out[1] = next();
    out[2] = next();
}

// want int 2 3
kernel void mutable_copy(device int *out [[buffer(0)]])
{
    int i = 1;
    auto next = [i]() mutable { return ++i; };
    out[0] = next();
    out[1] = next();
}

// want int 5 3
kernel void generic(device int *out [[buffer(0)]])
{
    auto twice = [](auto x) { return x + x; };
    out[0] = int(twice(2.5f));
    out[1] = twice(short(1)) + 1;
}

template <typename F> int apply(F f, int n)
{
    int s = 0;
    for (int i = 0; i < n; ++i)
        s += f(i);
    return s;
}

// want int 6 60
kernel void handed_on(device int *out [[buffer(0)]])
{
    int k = 10;
    out[0] = apply([](int i) { return i; }, 4);
    out[1] = apply([&](int i) { return k * i; }, 4);
}

template <typename F> void each(thread F &&f)
{
    f(1);
    f(2);
}

// want int 3
kernel void by_rvalue_reference(device int *out [[buffer(0)]])
{
    int s = 0;
    each([&](int i) { s += i; });
    out[0] = s;
}

template <typename F> void each_const(const thread F &f)
{
    f(1);
    f(4);
}

// want int 5
kernel void by_const_reference(device int *out [[buffer(0)]])
{
    int s = 0;
    each_const([&](int i) { s += i; });
    out[0] = s;
}

// want int 9
kernel void nested(device int *out [[buffer(0)]])
{
    int a = 4;
    auto outer = [&](int x) {
        auto inner = [&](int y) { return a + x + y; };
        return inner(3);
    };
    out[0] = outer(2);
}

// want int 42
kernel void called_at_once(device int *out [[buffer(0)]])
{
    const int x = [] { return 42; }();
    out[0] = x;
}

// want int 1 4 9
kernel void buffers(device int *out [[buffer(0)]])
{
    auto put = [out](int i, int v) { out[i] = v; };
    put(0, 1);
    put(1, 4);
    put(2, 9);
}

struct Scale
{
    int k;
    int by(int x) const
    {
        auto f = [this](int y) { return k * y; };
        return f(x);
    }
    int all(int x) const
    {
        auto f = [&](int y) { return k * y; };
        return f(x);
    }
};

// want int 21 28
kernel void members(device int *out [[buffer(0)]])
{
    Scale s{7};
    out[0] = s.by(3);
    out[1] = s.all(4);
}

// want int 10
kernel void arrays(device int *out [[buffer(0)]])
{
    int a[4] = {1, 2, 3, 4};
    auto sum = [&a]() {
        int s = 0;
        for (int i = 0; i < 4; ++i)
            s += a[i];
        return s;
    };
    out[0] = sum();
}

// want int 1 2
kernel void branches(device int *out [[buffer(0)]])
{
    auto f = [](bool b) {
        if (b)
            return 1;
        return 2;
    };
    out[0] = f(true);
    out[1] = f(false);
}

// want int 8
kernel void constants_need_no_capture(device int *out [[buffer(0)]])
{
    constexpr int n = 8;
    auto f = [] { return n; };
    out[0] = f();
}

// want int 6
kernel void generic_pack(device int *out [[buffer(0)]])
{
    auto sum = [](auto... x) { return (x + ...); };
    out[0] = sum(1, 2, 3);
}

template <int N, typename F> void unroll(F f)
{
    if constexpr (N > 0) {
        unroll<N - 1>(f);
        f(integral_constant<int, N - 1>{});
    }
}

// want int 0 1 4
kernel void unrolled(device int *out [[buffer(0)]])
{
    unroll<3>([&](auto i) {
        constexpr int k = decltype(i)::value;
        out[k] = k * k;
    });
}

// want int 9
kernel void constexpr_lambda(device int *out [[buffer(0)]])
{
    constexpr auto square = [](int x) { return x * x; };
    int a[square(3)];
    out[0] = sizeof(a) / sizeof(int);
}

template <bool B, typename F> void with_bool(F f) { f(bool_constant<B>()); }
template <int N> int squared() { return N * N; }

// want int 1 2 49
kernel void captured_constants(device int *out [[buffer(0)]])
{
    with_bool<true>([&](auto yes) {
        with_bool<false>([&](auto no) {
            if constexpr (yes && !no)
                out[0] = 1;
            else
                out[0] = no_such_name(yes);
            out[1] = yes.value ? 2 : 3;
            auto seven = integral_constant<int, 7>();
            auto get = [&] { return squared<seven>(); };
            out[2] = get();
        });
    });
}

int twice(int x) { return 2 * x; }
template <int N> int plus(int x) { return x + N; }

// want int 8 9
kernel void functions_kept(device int *out [[buffer(0)]])
{
    auto f = twice;
    auto g = plus<5>;
    auto h = [=](int x) { return g(x); };
    out[0] = f(4);
    out[1] = h(4);
}
