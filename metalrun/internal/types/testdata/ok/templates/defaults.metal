#include <metal_stdlib>
using namespace metal;

template <typename T, typename U = T, int N = sizeof(U)>
struct Acc { U value; static constexpr constant int n = N; };
template <typename In, typename Out = In> Out widen(In x) { return Out(x); }
template <typename T, int BM, int BN, int TM = BM / 4, bool edge = (BM % 4 != 0)>
int tile() { return TM * BN + (edge ? 1 : 0); }
kernel void defaults(device float* out [[buffer(0)]])
{
    Acc<half> a = {1.0h};
    Acc<half, float> b = {2};
    out[0] = a.value + b.value;
    out[1] = Acc<half>::n + Acc<half, float>::n;
    out[2] = widen(2) + widen<half, float>(3.0h);
    out[3] = tile<float, 8, 2>() + tile<float, 6, 2, 1>();
}
