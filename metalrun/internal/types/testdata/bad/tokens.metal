// Faults of the text, which the scanner and the preprocessor report.
#include <metal_stdlib>
#include <no_such_header> // ERROR 10 include-not-found "no_such_header"
#include "missing.h" // ERROR 10 include-not-found "missing.h"
using namespace metal;

int s4(int x) { return x @ 1; } // ERROR 26 illegal-character "@"
#error this program is wrong // ERROR 2 error-directive "this program is wrong"
#if 1 + // ERROR 7 bad-condition "want a value"
#endif
#else // ERROR 1 conditional "else"
#define TWO(a, b) a + b
int s5() { return TWO(1); } // ERROR 19 bad-macro "TWO"
#frobnicate // ERROR 2 bad-directive "frobnicate"
#pragma METAL fp contract(perhaps) // ERROR 9 bad-pragma "contract"
#undef // ERROR 2 bad-directive "macro name"
#define 3 // ERROR 9 bad-directive "macro name"
