// Traits of the library as conditions.
// want 0 int 1 0 1 1 4
#include <metal_stdlib>
using namespace metal;

template <typename T> static int kind(T)
{
    if constexpr (is_same_v<T, half>) {
        return 4;
    } else {
        return is_floating_point<T>::value;
    }
}
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = is_same_v<float, float>;
    a[1] = is_same<int, uint>::value;
    a[2] = is_integral<ushort>::value && !is_signed<ushort>::value;
    a[3] = kind(1.0f);
    a[4] = kind(1.0h);
}
