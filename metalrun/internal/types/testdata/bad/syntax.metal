// Faults of the grammar, which the parser reports; the rest of such a program is not checked.
#include <metal_stdlib>
using namespace metal;

long long s2() { return 0; } // ERROR 1 not-a-metal-type "long long"
float s3(float x) { goto end; return x; } // ERROR 21 not-in-metal "goto"
struct S4 { virtual int f() { return 1; } }; // ERROR 13 not-in-metal "virtual"
void s5() { thread int *p = new int; } // ERROR 29 not-in-metal "new"
void s6() { try { } catch (...) { } } // ERROR 13 not-in-metal "try"
void s7(thread int *p) { auto q = dynamic_cast<thread float *>(p); } // ERROR 35 not-in-metal "dynamic_cast"
void s8(thread int *p) { delete p; } // ERROR 26 not-in-metal "delete"
void s9() { throw 1; } // ERROR 13 not-in-metal "throw"
int s10() { break; return 0; } // ERROR 13 misplaced "break"
int s11() { continue; return 0; } // ERROR 13 misplaced "continue"
int s12(int x) { case 1: return x; } // ERROR 18 misplaced "case"
int s13() { return int; } // ERROR 23 expected-token "int|type"
void s14(int x) { x == 1 ? x : ; } // ERROR 32 expected-expression "expression"
kernel s15(device int *p [[buffer(0)]]) {} // ERROR 8 unknown-type "s15"
void s17() { simdgroup_float16x16 m; } // ERROR 14 unknown-type "simdgroup_float16x16"
float5 s18(float4 a) { return a; } // ERROR 1 unknown-type "float5"
int3x3 s19() { return 0; } // ERROR 1 unknown-type "int3x3"
typedef nosuch3 s20; // ERROR 9 unknown-type "nosuch3"
