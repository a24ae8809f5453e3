#include <metal_stdlib>
using namespace metal;

template <typename T, int N = 2>
struct Tile {
    T data[N];
    static constexpr constant int size = N;
    using elem = T;
    thread T& at(int i) { return data[i]; }
    T sum() const { T s = 0; for (int i = 0; i < N; i++) s += data[i]; return s; }
    template <typename U> void fill(U x) { for (int i = 0; i < size; i++) data[i] = T(x); }
    Tile<T, N> doubled() const { Tile r; for (int i = 0; i < N; i++) r.data[i] = 2 * data[i]; return r; }
};
template <typename T> using Tile4 = Tile<T, 4>;
template <typename T, int N> T total(Tile<T, N> t) { return t.sum(); }
kernel void classes(device float* out [[buffer(0)]])
{
    Tile<float> a;
    a.fill(3);
    a.at(1) = 4;
    out[0] = a.sum();
    Tile4<half> b = {};
    b.fill(1.5f);
    out[1] = total(b) + total(a.doubled());
    out[2] = Tile<int, 7>::size;
    Tile<float>::elem e = 2;
    out[3] = e;
}
