// Literals.
#include <metal_stdlib>
using namespace metal;

int s26(int x) { return 08; } // ERROR 25 bad-number "08|octal|digit"
int s27(int x) { return 0x; } // ERROR 25 bad-number "0x|digit"
float s28() { return 1.0q; } // ERROR 22 bad-number "q|suffix"
int s6() { return 99999999999999999999; } // ERROR 19 bad-number "99999999999999999999"
int s7() { return ''; } // ERROR 19 bad-character-constant "empty"
float s8() { return 1e; } // ERROR 21 bad-number "exponent without digits"
