#include <metal_stdlib>
using namespace metal;

// What Apple's compiler says of programs that do not parse, to the end of the file.

kernel [[max_total_threads_per_threadgroup(64)]] void between(device float *a) { a[0] = 1; } // ERROR 8 bad-specifier "^an attribute list cannot appear here"
__attribute__((unused)) [[host_name("h")]] kernel void behind(device float *a) { a[0] = 1; } // ERROR 25 bad-specifier "^an attribute list cannot appear here"
template <typename T> inline [[nodiscard]] T generic(T x) { return x; } // ERROR 30 bad-specifier "^an attribute list cannot appear here"

uint variable(uint N, threadgroup float *buf, uint i) {
    uint half = N >> 1; // ERROR 10 bad-specifier "^cannot combine with previous 'type-name' declaration specifier" ERROR 15 expected-name "^expected unqualified-id"
    if (i < half) { // ERROR 17 expected-token "^expected '.' for function-style cast or type construction$"
        uint base = i;
        buf[base + half + i] = 1; // ERROR 25 expected-token "^expected '.' for function-style cast or type construction$"
        i = base;
    }
    uint kk = i & (half - 1u); // ERROR 25 expected-token "^expected '.'" ERROR 30 expected-expression "^expected expression"
    return kk + half; // ERROR 21 expected-token "^expected '.' for function-style cast or type construction$"
}

float parameter(float x, uint half, uint step) { // ERROR 31 bad-specifier "^cannot combine with previous 'type-name' declaration specifier"
    float y = x * float(half); // ERROR 29 expected-token "^expected '.' for function-style cast or type construction$"
    bool lo = (step & half) == 0; // ERROR 27 expected-token "^expected '.' for function-style cast or type construction$"
    float w = ; // ERROR 15 expected-expression "^expected expression"
    return lo ? x + y : w;
}

kernel void restricted(device const float * restrict psi [[buffer(0)]], uint tid [[thread_position_in_grid]]) { // ERROR 54 expected-token "^expected '.'"
    uint n = tid + 1; // ERROR 14 undeclared "^use of undeclared identifier 'tid'"
    if (tid == 0) // ERROR 9 undeclared "^use of undeclared identifier 'tid'"
        n = uint(psi[n]); // ERROR 18 undeclared "^use of undeclared identifier 'psi'"
}

void end(device float *p) { p[0] = nothing; } // ERROR 36 undeclared "^use of undeclared identifier 'nothing'"
