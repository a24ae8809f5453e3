// More faults of the grammar.
#include <metal_stdlib>
using namespace metal;

int s22(int x) { return x + ; } // ERROR 29 expected-expression "expression"
int s24(int x) { int y = 1 return x; } // ERROR 27 expected-token ";"
int s25(int x) { else return x; } // ERROR 18 misplaced "else"
class S29 { int x } ; // ERROR 18 expected-token ";"
int s30(int x) { return x ? 1; } // ERROR 30 expected-token ":"
int s32(int x) { for (int i = 0; i < x) { } return x; } // ERROR 39 expected-token ";"
int s33(int x) { do { x--; } while (x > 0) return x; } // ERROR 43 expected-token ";"
thread_local int s34; // ERROR 1 not-in-metal "thread_local"
void s35() { register int x = 1; } // ERROR 14 not-in-metal "register"
int s36() { return sin<float>(1.0f); } // ERROR 29 expected-token "expected .\(. for function-style cast or type construction"
short float s37() { return 0; } // ERROR 1 bad-specifier "short|float"
unsigned float s38() { return 0; } // ERROR 1 bad-specifier "unsigned|float"
struct S39 { int : 3; int x; };
