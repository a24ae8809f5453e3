// A template of variables, its partial and its full specialisation, and one that is a member.
// want 0 int 1 2 3 4 30 8
#include <metal_stdlib>
using namespace metal;

template <typename T> constexpr constant int rank_of = 1;
template <typename T> constexpr constant int rank_of<vec<T, 2>> = 2;
template <> constexpr constant int rank_of<float3> = 3;
template <typename T> struct Box { T x; };
template <typename T> static constexpr constant bool is_box = false;
template <typename T> static constexpr constant bool is_box<Box<T>> = true;
template <typename T, int N = 3> constexpr constant int times = N * int(sizeof(T));
struct Scale { template <int N> static constexpr constant int by = 10 * N; };
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = rank_of<float>;
    a[1] = rank_of<half2>;
    a[2] = rank_of<float3>;
    a[3] = is_box<Box<int>> && !is_box<int> ? 4 : 0;
    a[4] = Scale::by<3>;
    a[5] = times<half, 4>;
}
