// constexpr in a function; const initialised by constants may give a length.
// want 0 float 12 3 0.75
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    constexpr int rows = 3, columns = 4;
    const int cells = rows * columns;
    int v[cells] = {};
    constexpr float ratio = float(rows) / columns;
    a[0] = sizeof(v) / sizeof(int);
    a[1] = rows;
    a[2] = ratio;
}
