// Characters are numbers of one byte; escapes may be octal and hexadecimal.
// want 0 int 65 10 92 65 65 0 39 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    a[0] = 'A';
    a[1] = '\n';
    a[2] = '\\';
    a[3] = '\x41';
    a[4] = '\101';
    a[5] = '\0';
    a[6] = '\'';
    a[7] = sizeof('A');
}
