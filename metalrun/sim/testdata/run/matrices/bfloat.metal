// A matrix of bfloat: columns, elements and sizes.
// want 0 float 1 6 32 5
#include <metal_stdlib>
using namespace metal;

typedef matrix<bfloat, 4, 4> Tile;
kernel void f(device float* a [[buffer(0)]])
{
    Tile t;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) t[i][j] = bfloat(float(i * 4 + j + 1));
    a[0] = t[0][0];
    a[1] = t[1][1];
    a[2] = sizeof(Tile);
    a[3] = t[1].x;
}
