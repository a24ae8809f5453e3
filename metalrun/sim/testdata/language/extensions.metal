// What clang takes beyond C++: statements in expressions, x ?: y, ranges of cases, types of expressions,
// compound literals, arrays that end a struct, packing.
#include <metal_stdlib>
using namespace metal;

#define MAXIMUM(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

// want int 3 4 10
kernel void statement_expressions(device int *out [[buffer(0)]])
{
    int x = 3;
    out[0] = MAXIMUM(x++, 2);
    out[1] = x;
    out[2] = ({ int s = 0; for (int i = 0; i < 5; i++) s += i; s; });
}

// want int 6 9 2
kernel void statement_expressions_change_what_is_around_them(device int *out [[buffer(0)]])
{
    int n = 1;
    int sum = n + ({ n = 5; n; });
    out[0] = sum;
    int a[2] = { 4, 5 };
    ({ a[0] += a[1]; });
    out[1] = a[0];
    out[2] = ({ struct P { int u, v; } p = { 1, 2 }; p; }).v;
}

// want int 3 7 3 4
kernel void condition_is_the_value(device int *out [[buffer(0)]])
{
    int x = 3, y = 0;
    out[0] = x ?: 7;
    out[1] = y ?: 7;
    out[2] = x++ ?: 9;
    out[3] = x;
}

// want int 1 2 2 2 3 4
kernel void ranges_of_cases(device int *out [[buffer(0)]])
{
    for (int i = 0; i < 6; i++)
        switch (i) {
        case 0: out[i] = 1; break;
        case 1 ... 3: out[i] = 2; break;
        case 5 ... 5: out[i] = 4; break;
        default: out[i] = 3;
        }
}

// want float 2 6 4 1
kernel void types_of_expressions(device float *out [[buffer(0)]])
{
    float a = 2;
    __typeof__(a) b = a;
    __typeof(a * 3) c = b * 3;
    __typeof__(float2) d = 4;
    __auto_type e = 1.5h;
    out[0] = b;
    out[1] = c;
    out[2] = d.y;
    out[3] = sizeof(e) == 2;
}

// want int 4 2 3 8 7
kernel void compound_literals(device int *out [[buffer(0)]])
{
    struct P { int a; float b; };
    float4 v = (float4){1, 2, 3, 4};
    P p = (P){1, 2.5f};
    P q = (struct P){ .a = 3, .b = 4 };
    int2 i = (int2){7, 8};
    out[0] = v.w;
    out[1] = p.b;
    out[2] = q.a;
    out[3] = i.y;
    out[4] = P{ .b = 7.0f }.b;
}

// want float 2 1 2
kernel void builtins_with_types(device float *out [[buffer(0)]])
{
    float4 a(1, 2, 3, 4);
    int4 c = __builtin_convertvector(a, int4);
    out[0] = c.y;
    out[1] = __builtin_astype(0x3f800000, float);
    out[2] = __builtin_bit_cast(float, 0x40000000);
}

constant char text[] = "abc";
constant char padded[8] = "ab\n";

// want int 98 4 10 0 122 105
kernel void strings(device int *out [[buffer(0)]])
{
    uchar local[] = "hi";
    out[0] = text[1];
    out[1] = sizeof(text);
    out[2] = padded[2];
    out[3] = padded[7];
    out[4] = "xyz"[2];
    out[5] = local[1];
}

struct Flexible { uint n; float data[]; };
struct Empty { ushort n; half data[0]; };

// want int 4 2 4
kernel void flexible_arrays(device int *out [[buffer(0)]])
{
    out[0] = sizeof(Flexible);
    out[1] = sizeof(Empty);
    float words[3] = { 1, 2, 4 };
    thread Flexible *f = (thread Flexible *)words;
    out[2] = f->data[1];
}

#pragma pack(push, 1)
struct Packed { uchar a; uint b; ushort c; };
#pragma pack(2)
struct Halves { uchar a; uint b; ushort c; };
#pragma pack(pop)
struct Natural { uchar a; uint b; ushort c; };
#pragma pack(push, outer, 4)
template <typename T> struct Bounded { uchar a; T b; };
#pragma pack(pop, outer)

// want int 7 8 12 12 1 4 11
kernel void packing(device int *out [[buffer(0)]])
{
    out[0] = sizeof(Packed);
    out[1] = sizeof(Halves);
    out[2] = sizeof(Natural);
    out[3] = sizeof(Bounded<ulong>);
    out[4] = alignof(Packed);
    out[5] = alignof(Bounded<ulong>);
    Packed p;
    p.b = 5;
    p.c = 6;
    out[6] = p.b + p.c;
}

// want int 5 8
kernel void packing_in_a_function(device int *out [[buffer(0)]])
{
#pragma pack(1)
    struct E { char a; int b; };
#pragma pack()
    struct F { char a; int b; };
    out[0] = sizeof(E);
    out[1] = sizeof(F);
}

// want int 4 8 8
kernel void wide_literals(device int *out [[buffer(0)]])
{
    out[0] = 1ull << 40 >> 38;
    out[1] = sizeof(1ll);
    out[2] = sizeof(0xffULL);
}

// want int 6 10
kernel void constants_of_statements(device int *out [[buffer(0)]])
{
    const int six = ({ int t = 3; t * 2; });
    constexpr int ten = ({ int s = 0; for (int i = 1; i < 5; i++) s += i; s; });
    out[0] = six;
    out[1] = ten;
}
