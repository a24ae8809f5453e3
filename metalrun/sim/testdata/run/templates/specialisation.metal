// An explicit specialisation is taken for its type.
// want 0 int 0 1 2 16
#include <metal_stdlib>
using namespace metal;

template <typename T> static int code(T) { return 0; }
template <> int code<float>(float) { return 1; }
template <typename T> struct Bits {
    static constexpr constant int value = 2;
};
template <> struct Bits<half> {
    static constexpr constant int value = 16;
};
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = code(3);
    a[1] = code(3.0f);
    a[2] = Bits<int>::value;
    a[3] = Bits<half>::value;
}
