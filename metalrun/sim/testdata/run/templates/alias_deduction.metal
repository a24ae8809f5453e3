// What an alias template stands for is deduced through: pair<A> is vec<A, 2>, and fixed<N> an array of N.
// want 0 int 5 3 21
#include <metal_stdlib>
using namespace metal;

template <typename A> using pair = vec<A, 2>;
template <int N> struct Bits { int v[N]; };
template <int N> using Row = Bits<N>;
template <typename A> int sum(pair<A> p) { return int(p.x + p.y); }
template <int N> int length(const thread Row<N>& r) { return N; }
template <typename T> struct Holder {
    template <typename U> using two = vec<U, 2>;
    template <typename A> static void add(thread vec<T, 2>& to, thread two<A>& from) { to += from; }
};
kernel void f(device int* a [[buffer(0)]])
{
    Row<3> r = {{1, 2, 3}};
    a[0] = sum(half2(2, 3));
    a[1] = length(r);
    float2 x = 10, y = float2(1, 0);
    Holder<float>::add(x, y);
    a[2] = int(x.x + x.y);
}
