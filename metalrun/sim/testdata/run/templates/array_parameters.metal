// A parameter of array type is a pointer into thread memory if nothing else is written; its length may be a template's.
// want 0 int 9 3 6
#include <metal_stdlib>
using namespace metal;

template <int N> int last(int v[N]) { return v[N - 1]; }
template <typename T> T first(const T v[2]) { return v[0]; }
int total(int v[], int n) { int s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
kernel void f(device int* a [[buffer(0)]])
{
    int v[3] = {3, 4, 9};
    int w[3] = {1, 2, 3};
    a[0] = last<3>(v);
    a[1] = first(v);
    a[2] = total(w, 3);
}
