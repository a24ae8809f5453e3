// Fold expressions: from the left, from the right, with an initial value, and over nothing.
// 10 - (4 - (3 - 1)) = 8; ((10 - 4) - 3) - 1 = 2
// want 0 int 10 8 2 1 0 1 106 24
#include <metal_stdlib>
using namespace metal;

template <typename... Ts> int sum(Ts... xs) { return (xs + ...); }
template <typename... Ts> int right(Ts... xs) { return (xs - ...); }
template <typename... Ts> int left(Ts... xs) { return (... - xs); }
template <typename... Ts> bool all_of(Ts... xs) { return (xs && ...); }
template <typename... Ts> bool any_of(Ts... xs) { return (... || xs); }
template <typename... Ts> int from(Ts... xs) { return (100 + ... + xs); }
template <int... Ns> constexpr int product() { return (Ns * ... * 1); }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = sum(1, 2, 3, 4);
    a[1] = right(10, 4, 3, 1);
    a[2] = left(10, 4, 3, 1);
    a[3] = all_of(true, 1, 2.0f);
    a[4] = any_of();
    a[5] = all_of();
    a[6] = from(1, 2, 3);
    a[7] = product<2, 3, 4>();
}
