// Names of an inline namespace are those of the one around it; extern "C" means nothing; __extension__ neither.
// want 0 int 3 4 5 6
#include <metal_stdlib>
using namespace metal;

namespace lib { inline namespace v2 { int three() { return 3; } } }
extern "C" { int four() { return 4; } }
extern "C" int five() noexcept { return 5; }
struct Block { __extension__ union { struct { int x, y; }; int v[2]; }; };
using Word = union { float f; uint u; };
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = lib::three();
    a[1] = four();
    a[2] = five();
    Block b;
    b.x = 6;
    Word w;
    w.f = 1.0f;
    a[3] = w.u == 0x3f800000u ? b.v[0] : 0;
}
