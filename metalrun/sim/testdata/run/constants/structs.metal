// Structs at program scope, partly initialised.
// want 0 int 1 2 0 7
#include <metal_stdlib>
using namespace metal;

struct Entry {
    int key;
    int value[2];
};
constant Entry entries[2] = {{1, {2}}, {7}};
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = entries[0].key;
    a[1] = entries[0].value[0];
    a[2] = entries[0].value[1];
    a[3] = entries[1].key + entries[1].value[0];
}
