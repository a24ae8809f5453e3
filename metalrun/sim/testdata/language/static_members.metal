// Static members whose values stand outside of their classes.
#include <metal_stdlib>
using namespace metal;

template <typename U> struct Limits {
    static const constant U most;
    static constant U least;
    static constexpr constant int kind = 0;
    static U middle() { return most / 2; }
};
template <> struct Limits<uchar> {
    static constexpr constant uchar most = 200;
    static constexpr constant int kind = 1;
};
static float of_floats() { return Limits<float>::most; }
template <typename V> const constant V Limits<V>::most = numeric_limits<V>::max();
template <typename V> constant V Limits<V>::least = Limits<V>::most - 3;
template <> const constant short Limits<short>::most = 9;

struct Named {
    static constant int first;
    static const constant float weights[];
    static constant Named origin;
    int x;
};
constant int Named::first = 4;
const constant float Named::weights[3] = {1, 2, 4};
constant Named Named::origin = {first + 1};

// want int 2147483647 1073741823 2147483644 200 1 9 4
kernel void of_templates(device int *out [[buffer(0)]])
{
    out[0] = Limits<int>::most;
    out[1] = Limits<int>::middle();
    out[2] = Limits<int>::least;
    out[3] = Limits<uchar>::most;
    out[4] = of_floats() == 0x1.fffffep127f;
    out[5] = Limits<short>::most;
    out[6] = Limits<short>::middle();
}

// want int 4 4 3 5
kernel void of_classes(device int *out [[buffer(0)]])
{
    out[0] = Named::first;
    out[1] = int(Named::weights[2]);
    out[2] = sizeof(Named::weights) / sizeof(float);
    out[3] = Named::origin.x;
}
