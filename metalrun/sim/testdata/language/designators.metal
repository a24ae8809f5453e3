#include <metal_stdlib>
using namespace metal;

// Initialisers by name, where members lie, and types by attribute.

struct Pair { int a; int b; };
struct Three { int a, b, c; };
union Word { float f; uint u; ushort h[2]; };
struct Layout { uchar a; uint b; float4 v; struct { short s[5]; } in; };

// want int 1 2
kernel void out_of_order(device int *out [[buffer(0)]])
{
    Pair p = {.b = 2, .a = 1};
    out[0] = p.a, out[1] = p.b;
}

// want int 0 7 0
kernel void left_out_is_zero(device int *out [[buffer(0)]])
{
    Three t = {.b = 7};
    out[0] = t.a, out[1] = t.b, out[2] = t.c;
}

// want int 1 5 6
kernel void plain_goes_on_behind_the_name(device int *out [[buffer(0)]])
{
    Three t = {1, .b = 5, 6};
    out[0] = t.a, out[1] = t.b, out[2] = t.c;
}

// want int 0 3 4
kernel void plain_behind_a_later_name(device int *out [[buffer(0)]])
{
    Three t = {.b = 3, 4};
    out[0] = t.a, out[1] = t.b, out[2] = t.c;
}

// want int 9 0
kernel void last_of_a_name_counts(device int *out [[buffer(0)]])
{
    Pair p = {.a = 4, .a = 9};
    out[0] = p.a, out[1] = p.b;
}

// want uint 1065353216
kernel void second_member_of_a_union(device uint *out [[buffer(0)]])
{
    Word w = {.u = 0x3f800000};
    out[0] = w.f == 1.0f ? w.u : 0;
}

// want ushort 3 5
kernel void third_member_of_a_union(device ushort *out [[buffer(0)]])
{
    Word w = {.h = {3, 5}};
    out[0] = w.h[0], out[1] = w.h[1];
}

constant Word kOne = {.u = 0x40000000};

// want float 2
kernel void union_of_program_scope(device float *out [[buffer(0)]])
{
    out[0] = kOne.f;
}

// want int 2 8 1
kernel void names_in_an_array(device int *out [[buffer(0)]])
{
    Pair p[2] = {[1] = {.b = 8, .a = 2}, [0] = {.b = 1}};
    out[0] = p[1].a, out[1] = p[1].b, out[2] = p[0].a + p[0].b;
}

// want ulong 0 4 16 32
kernel void offsets(device ulong *out [[buffer(0)]])
{
    out[0] = __builtin_offsetof(Layout, a), out[1] = __builtin_offsetof(Layout, b);
    out[2] = __builtin_offsetof(Layout, v), out[3] = __builtin_offsetof(Layout, in);
}

// want ulong 32 38
kernel void offsets_inside(device ulong *out [[buffer(0)]])
{
    out[0] = __builtin_offsetof(Layout, in.s), out[1] = __builtin_offsetof(Layout, in.s[3]);
}

template <typename T> constexpr ulong second() { return __builtin_offsetof(T, b); }

// want ulong 4 8
kernel void offset_in_a_template(device ulong *out [[buffer(0)]])
{
    static_assert(__builtin_offsetof(Three, c) == 8, "two numbers stand before it");
    out[0] = second<Pair>(), out[1] = second<Three>() * 2;
}

typedef float four __attribute__((ext_vector_type(4)));
typedef __attribute__((__ext_vector_type__(3))) int three;
using two = ushort __attribute__((ext_vector_type(2)));
typedef int counted __attribute__((unused));

// want float 1 2 7 10
kernel void vector_by_attribute(device float *out [[buffer(0)]])
{
    four v = {1, 2, 3, 4};
    out[0] = v.x, out[1] = v.y, out[2] = v.z + v.w, out[3] = dot(v, four(1));
}

// want int 12 1 6
kernel void other_vectors_by_attribute(device int *out [[buffer(0)]])
{
    three v = three(2, 4, 6);
    two w = two(1, 5);
    counted n = v.x + v.y + v.z;
    out[0] = n, out[1] = is_same<three, int3>::value, out[2] = w.x + w.y;
}

// want float 3 4 7
kernel void columns_of_a_matrix(device float *out [[buffer(0)]])
{
    float2x2 m = float2x2(float2(1, 2), float2(3, 4));
    out[0] = m.columns[1].x, out[1] = m.columns[1][1];
    m.columns[0] = float2(7, 8);
    out[2] = m[0].x;
}
