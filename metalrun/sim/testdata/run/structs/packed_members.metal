// Members of packed structs lie where they may, and the compiler, which knows, reads and writes them in pieces.
// bind 1 uchar 0 x17 7 0 0x3e 0xe8 3 0 0 254 255 x7 0xd4 0xfe
// want 0 int 17 150 1000 -2 -300 5 224
// want 2 uchar 9 0 0x3c 2 1 0 0 250 255 x7 0xd4 0xfe
#include <metal_stdlib>
using namespace metal;

struct __attribute__((packed)) Block {
    char tag;
    half d;
    int n;
    long l;
    short s;
};
#pragma pack(push, 2)
struct Two {
    char c;
    int i;
};
#pragma pack(pop)
template <typename T> struct __attribute__((__packed__)) After {
    uchar e;
    T v;
};

kernel void packed_members(device int *out [[buffer(0)]], device const Block *in [[buffer(1)]], device Block *to [[buffer(2)]])
{
    device const Block &b = in[1];
    Block c = in[1];
    out[0] = sizeof(Block);
    out[1] = int(b.d * 100);
    out[2] = b.n;
    out[3] = int(c.l);
    out[4] = c.s;
    c.tag = 9;
    c.d = 1;
    c.n = 258;
    c.l -= 4;
    *to = c;
    Two two = { 1, 4 };
    thread Two &t = two;
    t.i++;
    out[5] = two.i;
    After<float> f = { 3, 2.5f };
    thread uchar *p = (thread uchar *)&f;
    f.v *= 2;
    out[6] = p[1] + p[2] + p[3] + p[4]; // 5 is 0x40a00000
}
