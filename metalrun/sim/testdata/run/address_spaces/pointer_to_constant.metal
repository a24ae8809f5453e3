// Pointers into program-scope data move and compare like others.
// want 0 int 30 2 20 1
#include <metal_stdlib>
using namespace metal;

constant int table[] = {10, 20, 30};
static int third(constant int* p) { return p[2]; }
kernel void f(device int* a [[buffer(0)]])
{
    constant int* p = table;
    a[0] = third(p);
    constant int* q = &table[2];
    a[1] = q - p;
    a[2] = *--q;
    a[3] = q == table + 1;
}
