#include <metal_stdlib>
using namespace metal;

// What the type of the result is asks for the same again.
template <class T>
auto g(T t) -> decltype(g(t)) {
    return t;
}

kernel void k(device int *y) {
    y[0] = g(y[0]);
}
