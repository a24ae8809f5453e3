// In a packed class a bit-field follows the one before it, over the ends of its type too: 5 | 0x155 << 3 |
// 0xabcde << 12 is 0xabcdeaad. One of width 0 ends at a unit of its own type, which is no part of the packing.
// want 0 uint 5 0xabcdeaad 127 5 341 703710 127 342 5
// want 1 uint 14 0x2aaaaaad 0x55555555 0x5e 715827882 1 94 13 8 22 5 1 0x1fffffff 3
#include <metal_stdlib>
using namespace metal;

struct __attribute__((packed)) A {
    uchar a : 3;
    ushort b : 9;
    uint c : 20;
    uchar d;
};
struct __attribute__((packed)) B {
    uchar a : 3;
    uint b : 29;
    ulong c : 40;
    uint d : 32;
    uchar e;
};
#pragma pack(push, 1)
struct E {
    uchar x;
    uint b : 31;
    uint c : 3;
    uint : 0;
    uint d : 2;
    uint e;
};
#pragma pack(pop)
#pragma pack(push, 2)
struct G {
    uchar x;
    uint b : 31;
    uint c : 3;
    uint : 0;
    uint d : 2;
    ushort s : 15;
    ulong q : 50;
    uint e;
};
#pragma pack(pop)
struct N {
    uint a : 3;
    uchar : 0;
    uint b : 3;
};
union U {
    uint whole;
    uint low : 3;
    int sign : 1;
};
kernel void f(device uint* out [[buffer(0)]], device uint* more [[buffer(1)]])
{
    out[0] = sizeof(A);
    A t;
    t.a = 5;
    t.b = 0x155;
    t.c = 0xabcde;
    t.d = 127;
    thread uchar* p = (thread uchar*)&t;
    out[1] = p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24;
    out[2] = p[4];
    out[3] = t.a;
    out[4] = t.b;
    out[5] = t.c;
    out[6] = t.d;
    t.b++;
    out[7] = t.b;
    out[8] = t.a;

    more[0] = sizeof(B);
    device B& b = *(device B*)(more + 1);
    b.a = 5;
    b.b = 0x5555555;
    b.c = 0x5e55555555ul;
    more[3] &= 0xff;
    more[4] = b.b * 8 + 2;
    more[5] = b.c >> 38;
    more[6] = b.c >> 32;
    more[7] = sizeof(E);
    N n = {0, 1};
    more[8] = 8 * (((thread uchar*)&n)[1] & 7);
    more[9] = sizeof(G);
    U u;
    u.whole = 0xfffffffd;
    more[10] = u.low;
    more[11] = -u.sign;
    u.low = 7;
    u.sign = 0;
    more[12] = u.whole >> 3;
    more[13] = u.low >> 1;
}
