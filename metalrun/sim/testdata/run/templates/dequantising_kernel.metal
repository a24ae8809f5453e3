// A kernel template whose parameter is a function on bytes, instantiated for low and high nibbles.
// kernel low high
// bind 1 uchar 0x21 0x43
// want 0 int 1 3 2 4
#include <metal_stdlib>
using namespace metal;

static int low_nibble(uchar q) { return q & 15; }
static int high_nibble(uchar q) { return q >> 4; }
template <int First, int (*Decode)(uchar)>
kernel void rows(device int* a [[buffer(0)]], device const uchar* q [[buffer(1)]])
{
    for (int i = 0; i < 2; i++) {
        a[First + i] = Decode(q[i]);
    }
}
typedef decltype(rows<0, low_nibble>) rows_t;
template [[host_name("low")]] kernel rows_t rows<0, low_nibble>;
template [[host_name("high")]] kernel rows_t rows<2, high_nibble>;
