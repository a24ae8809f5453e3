// A scoped enumeration has the size of its underlying type and converts by cast only.
// want 0 int 1 2 200 3 1
#include <metal_stdlib>
using namespace metal;

enum class Mode : uchar { Off, On = 2, Auto = 200 };
kernel void f(device int* a [[buffer(0)]])
{
    Mode m = Mode::On;
    a[0] = sizeof(Mode);
    a[1] = int(m);
    a[2] = static_cast<int>(Mode::Auto);
    a[3] = int(m) + 1;
    a[4] = m == Mode::On && m != Mode::Off && m < Mode::Auto;
}
