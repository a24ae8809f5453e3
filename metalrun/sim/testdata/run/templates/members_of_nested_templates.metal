// A definition outside of its classes has a head for each template around it, and names the parameters
// as it likes: also by the names that others of them have in the class.
// want 0 int 108 18 18 2 81 6 7
#include <metal_stdlib>
using namespace metal;

template <typename T> struct A {
    template <typename U> struct B {
        int sizes(T t, U u);
        static int product();
        template <typename V> V sum(T t, U u, V v);
        template <int N> static int number();
    };
    struct C {
        int size(T t);
    };
    template <typename U> int sizes(U u);
};
template <typename X> template <typename T> int A<X>::B<T>::sizes(X x, T t) { return int(sizeof(X)) * 100 + int(sizeof(T)); }
template <typename U> template <typename T> int A<U>::B<T>::product() { return int(sizeof(U)) * 10 + int(sizeof(T)); }
template <typename T> template <typename U> template <typename V> V A<T>::B<U>::sum(T t, U u, V v) { return v + V(t) + V(u); }
template <typename V> template <typename T> template <int M> int A<V>::B<T>::number() { return M; }
template <typename U> template <typename T> int A<U>::sizes(T t) { return int(sizeof(U)) * 10 + int(sizeof(T)); }
template <typename U> int A<U>::C::size(U t) { return int(sizeof(U)); }

template <typename First, typename Second> struct P {
    int f();
};
template <typename Second, typename First> int P<Second, First>::f() { return int(sizeof(First)) * 10 + int(sizeof(Second)); }

kernel void f(device int* out [[buffer(0)]])
{
    A<char>::B<long> b;
    A<char> a;
    A<short>::C c;
    P<char, long> p;
    out[0] = b.sizes(1, 2);
    out[1] = A<char>::B<long>::product();
    out[2] = a.sizes(2L);
    out[3] = c.size(1);
    out[4] = p.f();
    out[5] = int(b.sum(1, 2, 3.0f));
    out[6] = A<int>::B<float>::number<7>();
}
