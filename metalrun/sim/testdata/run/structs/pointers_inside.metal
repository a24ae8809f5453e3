// A struct of the thread may hold pointers into device memory.
// bind 1 int 5 6 7
// want 0 int 6 18
#include <metal_stdlib>
using namespace metal;

struct View {
    device const int* data;
    uint length;
    int sum() const
    {
        int s = 0;
        for (uint i = 0; i < length; i++) {
            s += data[i];
        }
        return s;
    }
};
kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]])
{
    View v = {x, 3};
    a[0] = v.data[1];
    a[1] = v.sum();
}
