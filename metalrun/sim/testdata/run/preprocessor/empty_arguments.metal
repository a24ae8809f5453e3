// Arguments may be empty; a comma before an empty pack goes with ##.
// want 0 int 7 3 6
#include <metal_stdlib>
using namespace metal;

#define WRAP(before, x, after) before x after
#define CALL(f, x, ...) f(x, ##__VA_ARGS__)
static int sum(int x) { return x; }
static int sum(int x, int y, int z) { return x + y + z; }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = WRAP(, 7, );
    a[1] = CALL(sum, 3);
    a[2] = CALL(sum, 1, 2, 3);
}
