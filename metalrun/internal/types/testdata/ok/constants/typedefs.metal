#include <metal_stdlib>
using namespace metal;

typedef float real;
typedef real vec_t[4];
typedef device float* buffer_t;
using index_t = uint;
using pair_t = packed_float2;
typedef struct { int a; } anon_t;
typedef struct Tagged { int b; } tagged_t;
typedef const float cfloat;
kernel void typedefs(buffer_t out [[buffer(0)]], index_t i [[thread_position_in_grid]])
{
    vec_t v = {1, 2, 3, 4};
    out[i] = v[i & 3];
    anon_t a = {1};
    tagged_t t = {2};
    struct Tagged u = t;
    pair_t p = pair_t(1, 2);
    cfloat c = 3;
    out[1] = a.a + u.b + p.x + c;
    decltype(a.a) n = 2;
    decltype(i + 1.0f) f = n;
    out[2] = f;
}
