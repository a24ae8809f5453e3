// A comma inside of parentheses does not end an argument.
// want 0 int 3 5
#include <metal_stdlib>
using namespace metal;

#define CALL(f, args) f args
#define FIRST(x, y) x
static int sum(int x, int y) { return x + y; }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = CALL(sum, (1, 2));
    a[1] = FIRST(sum(2, 3), 7);
}
