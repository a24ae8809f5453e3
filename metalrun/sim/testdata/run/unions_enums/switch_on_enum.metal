// Each thread's number becomes an enumerator.
// dispatch threads=4 per=4
// want 0 int 100 200 300 -1
#include <metal_stdlib>
using namespace metal;

enum class Colour : uint { Red, Green, Blue };
static int code(Colour c)
{
    switch (c) {
    case Colour::Red:
        return 100;
    case Colour::Green:
        return 200;
    case Colour::Blue:
        return 300;
    }
    return -1;
}
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = code(Colour(i));
}
