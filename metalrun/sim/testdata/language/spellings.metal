// Other spellings of keywords, references that are restrict, and what a function is called.
#include <metal_stdlib>
using namespace metal;

static __inline__ int twice(__const int x) { return 2 * x; }
__inline __attribute((always_inline)) int thrice(int x) { return 3 * x; }

// want int 6 15 1 4 8
kernel void keywords(device int *__restrict out [[buffer(0)]])
{
    __signed__ int minus = -1;
    __volatile__ int four = 4;
    out[0] = twice(3);
    out[1] = thrice(5);
    out[2] = minus < 0;
    out[3] = four;
    out[4] = __alignof__(float2);
}

struct Params { int a, b; };
static void exchange(thread int &__restrict x, thread int &__restrict__ y) { int old = x; x = y; y = old; }

// want int 2 1
kernel void restrict_references(device int *out [[buffer(0)]])
{
    int x = 1, y = 2;
    exchange(x, y);
    thread int &__restrict z = x;
    out[0] = z;
    out[1] = y;
}

template <typename T> int length_of_name(T) { return sizeof(__FUNCTION__); }

// want int 14 110 110 15
kernel void named_function(device int *out [[buffer(0)]])
{
    constant char *name = __func__;
    out[0] = sizeof(__func__) - 1;
    out[1] = name[0];
    out[2] = __FUNCTION__[8];
    out[3] = length_of_name(1.0f);
}

template <access A> struct Mode { static constexpr constant int value = A == access::write ? 2 : 1; };
template <typename T> int kind(T);
template <> int kind(component c) { return c == component::z ? 30 : 0; }

// want int 2 1 30
kernel void types_of_textures(device int *out [[buffer(0)]])
{
    out[0] = Mode<access::write>::value;
    out[1] = Mode<metal::access::read>::value;
    out[2] = kind(component::z);
}

// want uint 5 7 1
kernel void explicit_arguments_of_the_library(device uint *out [[buffer(0)]])
{
    out[0] = simd_sum<uint>(short(5));
    out[1] = simd_shuffle_xor<uint>(7, 0) + simd_prefix_exclusive_sum<uint>(1);
    out[2] = is_same_v<decltype(simd_max<half>(1.0h)), half>;
}
