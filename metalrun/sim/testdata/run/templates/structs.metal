// A struct template with a type and a length.
// want 0 float 6 3 2.5
#include <metal_stdlib>
using namespace metal;

template <typename T, int N = 3> struct Tile {
    T v[N];
    T sum() const
    {
        T s = 0;
        for (int i = 0; i < N; i++) {
            s += v[i];
        }
        return s;
    }
    static constexpr constant int length = N;
};
kernel void f(device float* a [[buffer(0)]])
{
    Tile<int> t = {{1, 2, 3}};
    Tile<float, 2> u = {{1, 1.5f}};
    a[0] = t.sum();
    a[1] = Tile<int>::length;
    a[2] = u.sum();
}
