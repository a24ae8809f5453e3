// The traits of <metal_type_traits>, as templates, as variables and as clang spells them.
#include <metal_stdlib>
using namespace metal;

union Word { int i; float f; };
struct Plain { int i; };
struct Copied { int i; Copied(int n) : i(n) {} Copied(const thread Copied &c) : i(c.i + 1) {} };
struct Ended { int i; ~Ended() { i = 0; } };
enum class Small : uchar { a, b };
enum Wide : ulong { c, d };
enum Sign { minus = -1 };

// want int 1 0 0 1 3 4 0
kernel void arrays(device int *out [[buffer(0)]])
{
    out[0] = is_array<int[3]>::value;
    out[1] = is_array_v<int>;
    out[2] = is_array_v<thread int *>;
    out[3] = rank_v<int[3]>;
    out[4] = extent_v<int[3][4]>;
    out[5] = extent_v<int[3][4], 1>;
    out[6] = extent<int[3], 1>::value;
}
// want int 1 0 1 0 1 0 1 0 1 0
kernel void kinds_of_types(device int *out [[buffer(0)]])
{
    out[0] = is_union_v<Word>;
    out[1] = is_union<Plain>::value;
    out[2] = is_function_v<int(float)>;
    out[3] = is_function<int (*)(float)>::value;
    out[4] = is_lvalue_reference_v<thread int &>;
    out[5] = is_lvalue_reference_v<int>;
    out[6] = is_rvalue_reference_v<thread int &&>;
    out[7] = is_rvalue_reference<thread int &>::value;
    out[8] = is_compound_v<thread int *>;
    out[9] = is_fundamental_v<Plain>;
}
// want int 1 1 1 1 1
kernel void qualifiers_added(device int *out [[buffer(0)]])
{
    out[0] = is_same_v<add_volatile_t<int>, volatile int>;
    out[1] = is_same_v<add_cv_t<int>, const volatile int>;
    out[2] = is_volatile_v<volatile int> && !is_volatile_v<const int>;
    out[3] = is_same_v<remove_all_extents_t<float[2][3]>, float>;
    out[4] = is_object_v<Plain> && !is_object_v<void> && !is_object_v<thread int &>;
}
// want int 1 1 1 1 1 0
kernel void common_types(device int *out [[buffer(0)]])
{
    out[0] = is_same_v<common_type_t<half, float>, float>;
    out[1] = is_same_v<common_type_t<char, short>, int>;
    out[2] = is_same_v<common_type<int, uint, long>::type, long>;
    out[3] = is_same_v<common_type_t<const uchar>, uchar>;
    out[4] = is_same_v<common_type_t<float, float2>, float2>;
    out[5] = is_same_v<common_type_t<half, int>, int>;
}
// want int 1 8 1 1 1
kernel void underlying_types(device int *out [[buffer(0)]])
{
    out[0] = is_same_v<underlying_type_t<Small>, uchar>;
    out[1] = sizeof(underlying_type<Wide>::type);
    out[2] = static_cast<underlying_type_t<Small>>(Small::b);
    out[3] = is_same_v<__underlying_type(Small), uchar>;
    out[4] = __underlying_type(Sign)(minus) < 0;
}
// want int 1 1 0 0 1
kernel void copied_as_bytes(device int *out [[buffer(0)]])
{
    out[0] = is_trivially_copyable_v<float4>;
    out[1] = is_trivially_copyable_v<Plain>;
    out[2] = is_trivially_copyable_v<Copied>;
    out[3] = is_trivially_copyable<Ended>::value;
    out[4] = __is_trivially_copyable(Word);
}
// want int 1 0 1 0 1 0
kernel void constructible(device int *out [[buffer(0)]])
{
    out[0] = is_constructible_v<float, int>;
    out[1] = is_constructible_v<int, thread int *>;
    out[2] = is_constructible_v<Copied, short>;
    out[3] = is_default_constructible_v<Copied>;
    out[4] = is_default_constructible<Plain>::value;
    out[5] = is_constructible_v<Copied, int, int>;
}
