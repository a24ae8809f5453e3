// decltype(auto) is the type of the expression as decltype has it: a reference where that is an object, but for a name alone,
// whose declared type it is.
// version 400
// want 0 int 2 3 4 7 1 9 5 1
#include <metal_stdlib>
using namespace metal;

template <typename T> decltype(auto) whole(thread T& x) { return (x); }
template <typename T> decltype(auto) name(thread T& x) { return x; }
template <typename T> decltype(auto) copy(T x) { return x; }
decltype(auto) element(device int* p) { return p[2]; }
template <typename F> decltype(auto) call(F f, thread int& x) { return f(x); }

kernel void f(device int* out [[buffer(0)]])
{
    int a = 1;
    whole(a) = 2;
    out[0] = a;
    name(a) = 3;
    out[1] = a;
    element(out) = 4;
    out[3] = copy(a) + out[2];
    out[4] = is_same_v<decltype(copy(a)), int> && is_same_v<decltype(element(out)), device int&>;
    decltype(auto) reference = (a);
    reference = 9;
    decltype(auto) value = a;
    value = 1;
    out[5] = a;
    call([](thread int& y) -> thread int& { return y; }, a) = 5;
    out[6] = a;
    out[7] = call([](int y) { return y - 4; }, a);
}
