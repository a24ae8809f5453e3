// b->q + 2 points into the array of a member.
// bind 1 uchar 0 0x3c 1 2 3 4 0 0x40 5 6 7 8
// want 0 float 7 30
#include <metal_stdlib>
using namespace metal;

struct Block {
    half d;
    uchar q[4];
};
kernel void f(device float* a [[buffer(0)]], device const Block* b [[buffer(1)]])
{
    for (int k = 0; k < 2; k++) {
        device const uchar* q = b[k].q + 2;
        a[k] = b[k].d * (q[0] + q[1]);
    }
}
