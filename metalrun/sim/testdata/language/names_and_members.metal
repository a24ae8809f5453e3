#include <metal_stdlib>
using namespace metal;

// Names by way of a using directive, and member templates that are specialised outside.

// want float 2 3
kernel void library_by_the_global_scope(device float *out [[buffer(0)]])
{
    out[0] = ::sqrt(4.0f), out[1] = ::precise::sqrt(9.0f);
}

namespace tools {
using namespace metal;
}

// want int 4
kernel void library_by_a_namespace(device int *out [[buffer(0)]])
{
    out[0] = tools::max(3, 4);
}

namespace inner {
int chosen() { return 1; }
namespace deeper {
int only_here() { return 2; }
}
using namespace deeper;
}

// want int 1 2
kernel void program_by_a_namespace(device int *out [[buffer(0)]])
{
    out[0] = inner::chosen(), out[1] = inner::only_here();
}

int sign(int x) { return x < 0 ? 10 : 20; }

// want int 10
kernel void own_function_hides_the_library(device int *out [[buffer(0)]])
{
    out[0] = ::sign(-3);
}

struct Not {
    template <typename T> T operator()(const T x) { return ~x; }
    template <typename T> int size(T) { return sizeof(T); }
    template <typename T> static int kind() { return 1; }
};
template <> bool Not::operator()(const bool x) { return !x; }
template <> int Not::size<char>(char) { return 100; }
template <> int Not::kind<float>() { return 2; }

// want int -6 0 1
kernel void operator_specialised_outside(device int *out [[buffer(0)]])
{
    Not n;
    out[0] = n(5), out[1] = n(true), out[2] = n(false);
}

// want int 4 100
kernel void member_specialised_outside(device int *out [[buffer(0)]])
{
    Not n;
    out[0] = n.size(1), out[1] = n.size('a');
}

// want int 1 2
kernel void static_member_specialised_outside(device int *out [[buffer(0)]])
{
    out[0] = Not::kind<int>(), out[1] = Not::kind<float>();
}
