// Types that C++ has and Metal has not.
#include <metal_stdlib>
using namespace metal;

double d1() { return 0; } // ERROR 1 not-a-metal-type "double"
long long d2() { return 0; } // ERROR 1 not-a-metal-type "long"
unsigned long long d3() { return 0; } // ERROR 1 not-a-metal-type "long"
void d5() { double3 v; } // ERROR 13 unknown-type "double3"
void d6() { double2x2 m; } // ERROR 13 unknown-type "double2x2"
void d7() { char8 v; } // ERROR 13 unknown-type "char8"
void d8() { wchar_t c; } // ERROR 13 not-a-metal-type "wchar_t"
void d9() { __int128 i; } // ERROR 13 not-a-metal-type "__int128"
