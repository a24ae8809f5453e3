// Enumerators are constants: lengths of arrays, and of arithmetic at compile time.
// want 0 int 3 6 12
#include <metal_stdlib>
using namespace metal;

enum { Rows = 3, Columns = 2, Cells = Rows * Columns };
static_assert(Cells == 6, "cells");
kernel void f(device int* a [[buffer(0)]])
{
    int v[Rows] = {1, 2, 3};
    int sum = 0;
    for (int i = 0; i < Rows; i++) {
        sum += v[i] * Columns;
    }
    a[0] = sizeof(v) / sizeof(int);
    a[1] = Cells;
    a[2] = sum;
}
