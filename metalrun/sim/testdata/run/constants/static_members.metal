// Constants of a struct.
// want 0 int 8 64
#include <metal_stdlib>
using namespace metal;

struct Tile {
    static constexpr constant int side = 8;
    static constexpr constant int cells = side * side;
    int v[cells];
};
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = Tile::side;
    a[1] = sizeof(Tile) / sizeof(int);
}
