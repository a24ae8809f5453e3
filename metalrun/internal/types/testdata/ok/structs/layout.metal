#include <metal_stdlib>
using namespace metal;

struct Inner { uchar a; float3 b; };
struct Outer {
    half h;
    Inner inner;
    packed_float3 p;
    ushort tail[3];
    struct { int x, y; } pair;
    union { float f; uint u; uchar bytes[4]; };
};
static_assert(sizeof(Inner) == 32 && alignof(Inner) == 16, "Inner");
static_assert(sizeof(Outer) == 80, "Outer");
kernel void layout(device Outer* o [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    o[i].inner.b.y = o[i].h;
    o[i].pair.x = o[i].pair.y;
    o[i].u = as_type<uint>(o[i].f);
    o[i].bytes[3] = 7;
    o[i].p = o[i].inner.b;
    o[i].tail[i % 3] = o[i].inner.a;
}
