// What clang calls traits: they are answered whatever the program names its own.
// want 0 int 1 0 1 1
#include <metal_stdlib>
using namespace metal;

struct Empty {};
struct Full { int x; };
enum E { one };
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = __is_empty(Empty);
    a[1] = __is_empty(Full);
    a[2] = __is_enum(E);
    a[3] = __is_same(int, int);
}
