#include <metal_stdlib>
using namespace metal;

enum Mode { Plain, Scaled = 3 };
enum class Layout : uchar { Row, Column };
template <Mode M> float mode(float x) { return M == Scaled ? x * 2 : x; }
template <Layout L, uint W> uint index(uint r, uint c) { return L == Layout::Row ? r * W + c : c * W + r; }
template <bool B> int flag() { return B; }
template <ushort N> int narrow() { return N; }
constant constexpr uint width = 8;
kernel void constants(device float* out [[buffer(0)]])
{
    out[0] = mode<Plain>(1) + mode<Scaled>(2);
    out[1] = index<Layout::Row, 4>(1, 2) + index<Layout::Column, width / 2>(1, 2);
    out[2] = flag<true>() + flag<(3 > 2)>() + narrow<16>();
    constexpr int n = 4;
    out[3] = narrow<n>();
}
