// Assignment copies: a change of the copy does not reach the original, arrays inside are copied too.
// want 0 int 1 2 3 10 20 30
#include <metal_stdlib>
using namespace metal;

struct Triple {
    int v[3];
};
kernel void f(device int* a [[buffer(0)]])
{
    Triple t = {{1, 2, 3}};
    Triple u = t;
    for (int i = 0; i < 3; i++) {
        u.v[i] *= 10;
    }
    for (int i = 0; i < 3; i++) {
        a[i] = t.v[i];
        a[3 + i] = u.v[i];
    }
}
