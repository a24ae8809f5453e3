// Corners of the grammar that the other programs do not meet.
#include <metal_stdlib>
#include <metal_math>
#undef M_PI_F
#define assert(x) assert_that(x)
using namespace metal;

constant float M_PI_F = 3.0f;
void assert(bool x);
struct alignas(float4) Aligned {
    float x;
    alignas(8) float y;
    [[gnu::aligned(4)]] float z alignas(float2) [[maybe_unused]];
};
typedef struct {
    int x;
} Point, *Points[3], &Reference, Move(int);
typedef const struct Named {
    int x;
} Named;
typedef enum { LOW, HIGH } Level;
struct Elaborated *forward;
union Word {
    uint u;
    float f;
};

namespace outer {
struct Class {
    typedef float scalar;
    Class(scalar x);
    scalar get(scalar x) const;
    template <typename T> struct Nested { using type = T; type value; };
};
namespace inner {
struct Class : outer::Class {
    using outer::Class::Class;
    scalar inherited;
};
}
}
outer::Class::Class(scalar x) {}
outer::Class::scalar outer::Class::get(scalar x) const {
    Nested<scalar> nested;
    return nested.value + x;
}
template <typename... Ts> struct List {};
template <typename... Ts> List<Ts...> make(Ts... xs) { return List<Ts...>{xs...}; }
template <int N> struct Count { static constexpr constant int value = N; };
template <typename T> struct Function;
template <typename R, typename A> struct Function<R(A)> { using type = R(A); };
template <typename R> struct Function<R()> {};
Function<float(thread float *)> function;
Count<int(3)> three;
Count<sizeof(float4)> sixteen;
Count<(4 > 3) ? 1 : 2> one;
Count<Count<2>::value << 1> four;
Count<Count<8>::value >= 3> more;
float pointer_result(thread float *(*f)(int), int (*table)[2][3]);
kernel void corners(device float *out [[buffer(0)]]) {
    int n = 3;
    [[unroll]] for (int i = 0; i < n; i++) out[i] = i;
    #pragma unroll
    [[unroll]] for (int i = 0; i < n; i++) out[i] = i;
    if (struct Local { int x; } l = {1}; l.x) n = 2;
    if (typedef int alias; n) n = alias(2);
    for (struct Local { int x; } l = {0}; l.x < 3; l.x++) n++;
    if (n) for (;;) if (n) break; else n = 1;
    if (n) { for (int v : {1, 2}) while (n) if (v) n--; } else n = 2;
    thread Point *p = nullptr, &r = *p, copy = {};
    const volatile int cv = 1;
    int const c2 = n, *const volatile pc = nullptr;
    struct Elaborated { int x; } here;
    struct Elaborated there = {1};
    union Word w = {.u = 1};
    enum Scale { SMALL = 1, LARGE } scale = SMALL;
    auto x = typename List<int>::type(1);
    unsigned long long_name = (unsigned long)1 + (long unsigned int)2 + long(3);
    decltype(n) m = decltype(n)(3), k = decltype((n))(m);
    float4 v = float4{1, 2, 3, 4}.wzyx, u = {v.xy, {1, 2}};
    out[0] = (v.x, u.y), out[1] = -(-n) + (+ +n) - (- --n) + !(!n) + *&*&n;
    out[2] = (n ? m : k) ? n = 1, m : (k = 2);
    out[3] = sizeof n + sizeof -n + sizeof(int[3]) + sizeof(int (*)[3]) + alignof(struct Elaborated);
    return (void)0;
}
