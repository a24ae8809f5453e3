// A struct that has its name by typedef, defined inside of a function or beside a variable.
// want 0 int 3 7 11
#include <metal_stdlib>
using namespace metal;

typedef struct {
    int x, y;
} Pair;
kernel void f(device int* a [[buffer(0)]])
{
    Pair p = {1, 2};
    struct Local {
        int v;
        int next() const { return v + 1; }
    } l = {6};
    struct {
        int w;
    } anonymous = {11};
    a[0] = p.x + p.y;
    a[1] = l.next();
    a[2] = anonymous.w;
}
