// The ends of each range, from the limits' names.
// want 0 long -128 127 255 -32768 32767 65535 -2147483648 2147483647 4294967295 -9223372036854775808 9223372036854775807
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]])
{
    const long ends[] = {
        CHAR_MIN, CHAR_MAX, UCHAR_MAX, SHRT_MIN, SHRT_MAX, USHRT_MAX, INT_MIN, INT_MAX, UINT_MAX, LONG_MIN, LONG_MAX,
    };
    for (int i = 0; i < 11; i++) {
        a[i] = ends[i];
    }
}
