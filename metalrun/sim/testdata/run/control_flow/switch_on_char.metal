// Cases of a narrow type, with scopes and returns.
// dispatch threads=5 per=5
// bind 1 uchar 43 45 42 47 63
// want 0 int 10 6 16 4 -1
#include <metal_stdlib>
using namespace metal;

static int apply(char op, int x, int y)
{
    switch (op) {
    case '+':
        return x + y;
    case '-': {
        int r = x - y;
        return r;
    }
    case '*':
        return x * y;
    case '/':
        if (y != 0)
            return x / y;
    }
    return -1;
}
kernel void f(device int* a [[buffer(0)]], device const uchar* ops [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = apply(ops[i], 8, 2);
}
