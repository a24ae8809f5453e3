// Members of class templates defined outside, under other names of the parameters; a member of one instance that is
// specialised; a member template specialised inside of its class.
// want 0 int 12 7 100 42 5 50
#include <metal_stdlib>
using namespace metal;

template <typename T, int N> struct Row {
    T v[N];
    T sum() const;
    template <typename U> U scaled(U by) const;
    int kind();
};
template <typename E, int M> E Row<E, M>::sum() const { E s = 0; for (int i = 0; i < M; i++) s += v[i]; return s; }
template <typename E, int M> template <typename V> V Row<E, M>::scaled(V by) const { return V(v[0]) * by; }
template <typename E, int M> int Row<E, M>::kind() { return 7; }
template <> int Row<float, 2>::kind() { return 100; }
struct Op {
    template <typename T> T operator()(T x) { return x + T(1); }
    template <> half operator()(half x) { return x * 10.0h; }
};
kernel void f(device int* a [[buffer(0)]])
{
    Row<int, 3> r = {{3, 4, 5}};
    Row<float, 2> s = {{21, 0}};
    a[0] = r.sum();
    a[1] = r.kind();
    a[2] = s.kind();
    a[3] = int(s.scaled(2.0f));
    a[4] = Op()(4);
    a[5] = int(Op()(5.0h));
}
