// A bracket without partner: what follows cannot be understood.
#include <metal_stdlib>
using namespace metal;

int s23(int x) { return (x; } // ERROR 27 expected-token "expected"
