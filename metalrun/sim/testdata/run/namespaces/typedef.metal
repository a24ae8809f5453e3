// typedef and using give names to types, arrays and pointers; scopes may reuse a name.
// bind 1 int 0
// want 0 int 4 8 3 2
#include <metal_stdlib>
using namespace metal;

typedef uint word;
using row = int[3];
typedef device const int* source;
kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]])
{
    a[0] = sizeof(word);
    {
        using word = ulong;
        a[1] = sizeof(word);
    }
    row r = {1, 2, 3};
    a[2] = r[2];
    source p = x;
    a[3] = p == x ? r[1] : 0;
}
