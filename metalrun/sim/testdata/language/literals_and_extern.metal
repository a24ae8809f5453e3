// Suffixes of numbers that a program defines, and constant data declared ahead of its definition.
#include <metal_stdlib>
using namespace metal;

template <char... C> constexpr uint operator""_ki()
{
    uint r = 0;
    ((r = r * 10 + uint(C - '0')), ...);
    return r * 1024;
}
constexpr int operator"" _bin(const constant char *s)
{
    int r = 0;
    for (; *s; s++)
        r = r * 2 + (*s - '0');
    return r;
}
namespace units {
template <char... C> constexpr float operator""_km()
{
    char text[] = { C... };
    float r = 0, scale = 1;
    bool behind = false;
    for (char c : text) {
        if (c == '.') {
            behind = true;
            continue;
        }
        r = r * 10 + (c - '0');
        scale *= behind ? 10 : 1;
    }
    return r / scale * 1000;
}
}
constant uint Size = 3_ki;

// want int 4096 3072 5 2500 2048 1 6
kernel void suffixes(device int *out [[buffer(0)]])
{
    using namespace units;
    out[0] = 4_ki;
    out[1] = Size;
    constexpr int five = 101_bin;
    out[2] = five;
    out[3] = int(2.5_km);
    threadgroup short shared[1_ki];
    out[4] = sizeof(shared);
    char one[] = { 1_bin };
    out[5] = sizeof(one);
    out[6] = 110_bin;
}

extern constant float table[];
extern constant int last;
namespace inner {
extern constant int2 pair;
extern constant int2 pair;
}

// want int 9 70
kernel void declared_ahead(device int *out [[buffer(0)]])
{
    out[0] = int(table[last] * 2);
    out[1] = inner::pair.y;
}

constant float table[] = { 1, 2, 3, 4.5 };
constant int last = 3;
extern constant int last;
extern constant float table[4];
namespace inner {
constant int2 pair = int2(5, 70);
}
