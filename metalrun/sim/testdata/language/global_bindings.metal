// Buffers and other arguments of program scope, and references to constant data.
// version 320
#include <metal_stdlib>
using namespace metal;

device int* result [[buffer(0)]];

// want int 4
kernel void without_arguments()
{
    result[0] = 4;
}

int through_a_function(int x) { return result[0] = x + 1; }
template <typename T> T through_a_template(T x) { return T(result[1] + x); }

// want int 6 9 14
kernel void used_by_functions()
{
    int six = through_a_function(5);
    result[1] = six + 3;
    result[2] = through_a_template<short>(5);
}

struct Access
{
    int n;
    int read() const { return result[n]; }
    void write(int v) { result[n] = v; }
};

// want int 8 17
kernel void used_by_members(uint at [[thread_position_in_grid]])
{
    Access a = { 0 };
    a.write(8);
    Access b = { 1 };
    b.write(a.read() * 2 + 1 + int(at));
}

constant int numbers[3] = { 5, 6, 7 };
struct Pair { int first; int second[2]; };
constant Pair pairs[2] = { { 1, { 2, 3 } }, { 4, { 5, 6 } } };
constant int& middle = numbers[1];
constant auto& last = pairs[1];
constant int (&inner)[2] = pairs[0].second;
namespace nested { constant auto& all = numbers; }

// want int 6 4 3 7 12
kernel void references_to_constants(device int *out [[buffer(0)]])
{
    out[0] = middle;
    out[1] = last.first;
    out[2] = inner[1];
    out[3] = nested::all[2];
    out[4] = sizeof(nested::all);
}
