// sizeof every scalar type, in the order of the declarations below.
// want 0 uint 1 1 1 2 2 4 4 8 8 2 2 4 8 8
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]])
{
    const size_t sizes[] = {
        sizeof(bool), sizeof(char), sizeof(uchar), sizeof(short), sizeof(ushort), sizeof(int), sizeof(uint),
        sizeof(long), sizeof(ulong), sizeof(half), sizeof(bfloat), sizeof(float), sizeof(size_t), sizeof(ptrdiff_t),
    };
    for (int i = 0; i < 14; i++) {
        a[i] = sizes[i];
    }
}
