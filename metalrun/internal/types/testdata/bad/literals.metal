// Literals.
#include <metal_stdlib>
using namespace metal;

int s26(int x) { return 08; } // ERROR 25 bad-number "08|octal|digit"
int s27(int x) { return 0x; } // ERROR 25 bad-number "0x|digit"
float s28() { return 1.0q; } // ERROR 22 bad-number "q|suffix"
int s6() { return 99999999999999999999; } // ERROR 19 bad-number "integer literal is too large to be represented in any integer type"
int s7() { return ''; } // ERROR 19 bad-character-constant "empty"
float s8() { return 1e; } // ERROR 21 bad-number "exponent has no digits"
int operator""_a(unsigned long n) { return 1; } // ERROR 5 operator-parameter "no unsigned long long"
int operator""_b(char c) { return 1; } // ERROR 5 operator-parameter "characters and strings"
int operator""_c(const device char *s) { return 1; } // ERROR 5 operator-parameter "const constant char"
int operator""d(const constant char *s) { return 1; } // ERROR 15 bad-number "reserved"
template <int... C> int operator""_e() { return 1; } // ERROR 25 operator-parameter "char..."
struct s9 { int operator""_f(const constant char *s) { return 1; } }; // ERROR 17 misplaced "namespace"
constexpr int operator""_g(const constant char *s) { return s[0]; }
int s10() { return 1_g + 2_h; } // ERROR 26 undeclared "no matching literal operator"
int s11() { return 1u_g; } // ERROR 20 bad-number "suffix"
int s12() { return "abc" _g; } // ERROR 26 unsupported "string"
extern constant int s13;
constant int s14 = s13 + 1; // ERROR 20 not-constant "s13"
int s15() { return s13; } // ERROR 20 undefined-function "defined nowhere"
extern constant float s16[3];
constant float s16[4] = { 1 }; // ERROR 16 redeclared "different type"
