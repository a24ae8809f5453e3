#include <metal_stdlib>
using namespace metal;

enum Op { Add, Sub, Mul };
enum class Kind : ushort { A = 1, B };
int apply(Op op, int a, int b)
{
    switch (op) {
    case Add: return a + b;
    case Sub: return a - b;
    case Mul: { int p = a * b; return p; }
    }
    return 0;
}
kernel void switches(device int* out [[buffer(0)]], constant uint& n [[buffer(1)]])
{
    switch (n) {
    case 0:
    case 1:
        out[0] = 1;
        break;
    case 2:
        out[0] = 2;
    case 3: {
        int t = out[0];
        out[1] = t;
        break;
    }
    default:
        out[0] = 9;
    }
    Kind k = Kind::B;
    switch (k) { case Kind::A: out[2] = 1; break; case Kind::B: out[2] = 2; break; }
    for (int i = 0; i < 4; i++) {
        switch (i & 1) { case 0: continue; default: break; }
        out[3] += i;
    }
    uchar c = n;
    switch (c) { case 255: out[4] = 1; break; case 'a': out[4] = 2; }
    out[5] = apply(Mul, 2, 3);
}
