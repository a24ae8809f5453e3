// Unscoped enumerators are numbers: flags by shifting and or.
// want 0 int 5 1 0 6
#include <metal_stdlib>
using namespace metal;

enum Flag { Read = 1, Write = 1 << 1, Execute = 1 << 2 };
kernel void f(device int* a [[buffer(0)]])
{
    int rights = Read | Execute;
    a[0] = rights;
    a[1] = (rights & Read) != 0;
    a[2] = rights & Write;
    a[3] = Write + Execute;
}
