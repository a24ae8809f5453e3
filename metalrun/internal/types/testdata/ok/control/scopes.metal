#include <metal_stdlib>
using namespace metal;

kernel void scopes(device int* out [[buffer(0)]])
{
    int a = 1;
    {
        int a = 2, b = a + 1;
        out[0] = a + b;
        struct Local { int v; int get() const { return v; } };
        Local l = {4};
        out[1] = l.get();
        typedef int number;
        using other = uint;
        number n = 1;
        other o = 2;
        out[2] = n + o;
        enum { Two = 2 };
        out[3] = Two;
    }
    out[4] = a;
    ;
    {}
}
