// A lambda without captures converts to a pointer to a function; an auto result is what its body says.
// version 400
// want 0 float 9 4 1 16 30 14 3 -2 5
#include <metal_stdlib>
using namespace metal;

typedef float (*Function)(float);
float apply(Function f, float x) { return f(x); }
auto half_of(float x) { return x / 2; }
struct Pair {
    Function first, second;
};
kernel void f(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]])
{
    auto square = [](float x) { return x * x; };
    Function a = square;
    Function b = [](float x) -> float {
        if (x > 3)
            return x;
        return x + 1;
    };
    auto c = +[](float x) { return x - 1; };
    out[0] = a(3);
    out[1] = b(3);
    out[2] = c(2);
    out[3] = apply(square, 4);
    Function list[2] = {[](float x) { return x * 10; }, square};
    out[4] = list[id](3);
    out[5] = apply([](auto x) { return x + x; }, 7);
    Function d = half_of;
    out[6] = d(6);
    Pair p{[](float x) { return -x; }, static_cast<Function>(square)};
    out[7] = p.first(2);
    a = id ? +square : b;
    out[8] = a(4) + (a == b);
}
